import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Which rules of tests/rules.tsv are named in titles of tests, and which are not yet.
 *
 *   npm run coverage:rules               counts by area, then what is missing
 *   npm run coverage:rules -- <area>     one area, with the files that cover each rule
 */
const root = join(import.meta.dirname, '..')
const [onlyArea] = process.argv.slice(2)

/** A call of it, test, describe or their variants (`it.each([...])(`), and the title in it. */
const OPENING =
  /\b(?:it|test|describe)(?:\.(?:only|skip|concurrent|serial|describe|step|fixme))*\s*\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*?)\1/g
/** Titles of table tests: the ids may stand in the table too, as its first texts. */
const TABLE = /\b(?:it|test|describe)\.each\s*\(/g
const RULE = /\bR\d{3}\b/g

function* files(directory) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) yield* files(path)
    else if (/\.(?:test|spec)\.tsx?$/.test(entry.name)) yield path
  }
}

/** The text of a table test from its bracket to the end of its title. */
function tableText(source, start) {
  let depth = 0
  let closings = 0
  for (let index = start; index < source.length; index += 1) {
    const char = source[index]
    if (char === "'" || char === '"' || char === '`') {
      for (index += 1; index < source.length && source[index] !== char; index += 1) if (source[index] === '\\') index += 1
    } else if (char === '(') depth += 1
    else if (char === ')') {
      depth -= 1
      if (depth === 0) closings += 1
      if (closings === 1 && depth === 0) {
        const title = /^\s*\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*?)\1/.exec(source.slice(index + 1))
        return source.slice(start, index) + (title?.[2] ?? '')
      }
    }
  }
  return ''
}

const rules = readFileSync(join(root, 'tests/rules.tsv'), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t'))
  .map(([id, area, statement]) => ({ id, area, statement }))
const known = new Set(rules.map(({ id }) => id))

/** Rule -> files whose titles name it. */
const covered = new Map()
const unknown = new Map()
for (const file of files(join(root, 'tests'))) {
  const source = readFileSync(file, 'utf8')
  const titles = [...source.matchAll(OPENING)].map(([, , title]) => title)
  const tables = [...source.matchAll(TABLE)].map((match) => tableText(source, match.index + match[0].length - 1))
  for (const id of new Set([...titles, ...tables].join('\n').match(RULE) ?? [])) {
    const into = known.has(id) ? covered : unknown
    into.set(id, [...(into.get(id) ?? []), file.slice(root.length + 1)])
  }
}

const areas = [...new Set(rules.map(({ area }) => area))].filter((area) => onlyArea === undefined || area === onlyArea)
if (areas.length === 0) {
  console.error(`There is no area "${onlyArea}"; there are ${[...new Set(rules.map(({ area }) => area))].join(', ')}.`)
  process.exit(64)
}
for (const area of areas) {
  const mine = rules.filter((rule) => rule.area === area)
  const missing = mine.filter(({ id }) => !covered.has(id))
  console.log(`${area}: ${mine.length - missing.length} of ${mine.length}`)
  if (onlyArea !== undefined) for (const { id } of mine) if (covered.has(id)) console.log(`  ${id} ${covered.get(id).join(', ')}`)
  for (const { id, statement } of missing)
    console.log(`  not yet ${id} ${statement.length > 140 ? `${statement.slice(0, 140)}…` : statement}`)
}
for (const [id, where] of unknown) console.log(`unknown rule ${id} in ${where.join(', ')}`)
const total = rules.filter(({ id }) => covered.has(id)).length
if (onlyArea === undefined) console.log(`All: ${total} of ${rules.length} rules are named in titles of tests.`)
process.exit(unknown.size === 0 ? 0 : 1)
