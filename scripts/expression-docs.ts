/**
 * Writes docs/expressions.md from the table of functions; a test fails while the page is stale.
 * Run: npx tsx scripts/expression-docs.ts
 */
import { writeFileSync } from 'node:fs'
import { expressionPage } from '../src/schema/expression/documentation'

writeFileSync(new URL('../docs/expressions.md', import.meta.url), expressionPage())
