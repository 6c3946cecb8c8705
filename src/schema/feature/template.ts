import { isObject, type JsonObject } from '../overlay'

const PLACEHOLDER = /<<([A-Za-z]+(?:\.[A-Za-z]+)*)>>/g
const WHOLE = /^<<([A-Za-z]+(?:\.[A-Za-z]+)*)>>$/
/** Members of an object of a template that say whether it stands. */
const GIVEN = '<<given>>'
const ABSENT = '<<absent>>'

const isAbsent = (value: unknown): boolean =>
  value === undefined || value === null || value === false || value === '' || (Array.isArray(value) && value.length === 0)

const valueAt = (path: string, values: JsonObject): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, step) => (isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined), values)

const namesOf = (condition: unknown): string[] => [condition].flat().map(String)

/** A template with its placeholders replaced; undefined when nothing stands there. What was put in is not looked through again. */
export function fill(template: unknown, values: JsonObject): unknown {
  if (typeof template === 'string') return fillText(template, values)
  if (Array.isArray(template)) return template.map((item) => fill(item, values)).filter((item) => item !== undefined)
  if (!isObject(template)) return template
  const { [GIVEN]: given, [ABSENT]: absent, ...members } = template
  const there = (name: string): boolean => !isAbsent(valueAt(name, values))
  if (given !== undefined && !namesOf(given).some(there)) return undefined
  if (absent !== undefined && namesOf(absent).some(there)) return undefined
  return Object.fromEntries(
    Object.entries(members).flatMap(([key, member]) => {
      const [name, value] = [fillText(key, values), fill(member, values)]
      return typeof name !== 'string' || value === undefined ? [] : [[name, value]]
    }),
  )
}

function fillText(text: string, values: JsonObject): unknown {
  const whole = WHOLE.exec(text)?.[1]
  if (whole !== undefined) {
    const value = valueAt(whole, values)
    return isAbsent(value) ? undefined : structuredClone(value)
  }
  return text.replace(PLACEHOLDER, (_, path: string) => {
    const value = valueAt(path, values)
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  })
}

/** Every parameter that a template names, each with its place. */
export function placeholdersIn(template: unknown, at = ''): { name: string; at: string }[] {
  const inText = (text: string): { name: string; at: string }[] =>
    [...text.matchAll(PLACEHOLDER)].map(([, path = '']) => ({ name: path.split('.', 1)[0]!, at }))
  if (typeof template === 'string') return inText(template)
  if (Array.isArray(template)) return template.flatMap((item, index) => placeholdersIn(item, `${at}/${index}`))
  if (!isObject(template)) return []
  return Object.entries(template).flatMap(([key, member]) =>
    key === GIVEN || key === ABSENT
      ? namesOf(member).map((name) => ({ name: name.split('.', 1)[0]!, at: `${at}/${key}` }))
      : [...inText(key), ...placeholdersIn(member, `${at}/${key.replace(/~/g, '~0').replace(/\//g, '~1')}`)],
  )
}
