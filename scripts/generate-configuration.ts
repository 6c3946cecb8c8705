/** `npm run generate:configuration` writes docs/configuration.md from the table of settings; a test compares them. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { moduleSettings } from '../gateway/modules'
import { configurationMarkdown } from '../gateway/platform/configuration/index'

writeFileSync(join(import.meta.dirname, '../docs/configuration.md'), configurationMarkdown(moduleSettings()))
