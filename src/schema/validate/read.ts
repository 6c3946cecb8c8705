import { diagnose, pointer } from '../diagnosis'
import { migrateDocument } from '../migrate'
import type { Problem } from '../problem'
import { writtenOut } from '../shorthand'
import { checkBounds, HARD_LIMITS } from './bounds'
import type { SourceDocument } from './documents'
import { findJsonFault } from './jsonText'

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
  return {
    ok: true,
    value: writtenOut(source.type, migrated.value),
    characters: text?.length ?? JSON.stringify(parsed.value).length,
  }
}

const refuse = (problem: Problem): ReadResult => ({ ok: false, problem })

function parse(text: string, where: string): { ok: true; value: unknown } | { ok: false; problem: Problem } {
  const fault = findJsonFault(text)
  if (!fault) {
    try {
      return { ok: true, value: JSON.parse(text) as unknown }
    } catch {
      return { ok: false, problem: malformed(text, where, 0, '') }
    }
  }
  if (fault.kind === 'syntax') return { ok: false, problem: malformed(text, where, fault.offset, fault.found) }
  const { key } = fault
  return {
    ok: false,
    problem: diagnose(
      'duplicate-id',
      { where, at: pointer('', ...fault.at, key) },
      { zh: `键“${key}”在同一对象里写了两次。`, en: `The key "${key}" stands twice in one object.` },
      { value: key },
    ),
  }
}

function malformed(text: string, where: string, offset: number, found: string): Problem {
  const before = text.slice(0, offset).split('\n')
  const line = before.length
  const column = (before.at(-1)?.length ?? 0) + 1
  const shown =
    found === ''
      ? { zh: '文本提前结束', en: 'the text ends too early' }
      : { zh: `不应出现“${found}”`, en: `"${found}" is not expected` }
  return diagnose(
    'malformed-json',
    { where, at: '' },
    {
      zh: `不是有效的 JSON：第 ${line} 行第 ${column} 列${shown.zh}。`,
      en: `Not valid JSON: in line ${line}, column ${column} ${shown.en}.`,
    },
  )
}
