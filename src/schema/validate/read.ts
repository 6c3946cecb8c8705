import { diagnose } from '../diagnosis'
import { migrateDocument } from '../migrate'
import type { Problem } from '../problem'
import { checkBounds, HARD_LIMITS } from './bounds'
import type { SourceDocument } from './documents'

export type ReadResult = { ok: true; value: unknown; characters: number } | { ok: false; problem: Problem }

/** From a text (or a value in memory) to a plain JSON tree in the present format, or the one reason why not. */
export const readDocument = (source: SourceDocument): ReadResult => {
  const { where, text } = source
  if (text !== undefined && text.length > HARD_LIMITS.characters) {
    return refuse(
      diagnose(
        'too-large',
        { where, at: '' },
        {
          zh: `文档有 ${text.length} 个字符，最多 ${HARD_LIMITS.characters} 个。`,
          en: `The document has ${text.length} characters, at most ${HARD_LIMITS.characters}.`,
        },
      ),
    )
  }
  const parsed = text === undefined ? { ok: true as const, value: source.value } : parse(text, where)
  if (!parsed.ok) return parsed
  const problem = checkBounds(parsed.value, where)
  if (problem) return refuse(problem)
  const migrated = migrateDocument(source.type, parsed.value)
  if (!migrated.ok)
    return refuse(
      diagnose('unsupported-format-version', { where, at: '/formatVersion' }, migrated.message, { value: migrated.version }),
    )
  return { ok: true, value: migrated.value, characters: text?.length ?? JSON.stringify(parsed.value).length }
}

const refuse = (problem: Problem): ReadResult => ({ ok: false, problem })

function parse(text: string, where: string): { ok: true; value: unknown } | { ok: false; problem: Problem } {
  try {
    return { ok: true, value: JSON.parse(text) as unknown }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const place = placeOf(reason, text)
    const at = place
      ? { zh: `第 ${place.line} 行第 ${place.column} 列`, en: `line ${place.line}, column ${place.column}` }
      : { zh: '文中', en: 'the text' }
    return {
      ok: false,
      problem: diagnose(
        'malformed-json',
        { where, at: '' },
        { zh: `不是有效的 JSON（${at.zh}）：${reason}`, en: `Not valid JSON (${at.en}): ${reason}` },
      ),
    }
  }
}

/** Engines name a position, or a line and column, or neither. */
function placeOf(reason: string, text: string): { line: number; column: number } | undefined {
  const named = /line (\d+) column (\d+)/.exec(reason)
  if (named) return { line: Number(named[1]), column: Number(named[2]) }
  const position = /position (\d+)/.exec(reason)?.[1]
  if (position === undefined) return /end of JSON/i.test(reason) ? at(text, text.length) : undefined
  return at(text, Number(position))
}

function at(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}
