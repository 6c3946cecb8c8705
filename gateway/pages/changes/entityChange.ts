import { dequal } from 'dequal/lite'
import { diagnose, pointer } from '../../../src/schema/diagnosis'
import { fieldKind } from '../../../src/schema/formats'
import type { Effect, EntityDocument } from '../../../src/schema/generated/entity'
import type { Problem } from '../../../src/schema/problem'

/** What a change of an entity by an admin must not do: destroy stored data, or take away effects that are locked. */
export function checkEntityChange(before: EntityDocument, after: EntityDocument, where: string): Problem[] {
  return [...keptFields(before, after, where), ...keptEffects(before, after, where)]
}

/** A field is retired, not removed, and stays of its kind. */
function keptFields(before: EntityDocument, after: EntityDocument, where: string): Problem[] {
  return Object.entries(before.properties).flatMap(([name, field]) => {
    const now = after.properties[name]
    const at = pointer('/properties', name)
    const label = field['x-label']
    if (!now) {
      return [
        diagnose(
          'unknown-field',
          { where, at },
          {
            zh: `字段“${label.zh}”里有数据，不能移除。请改为停用（x-retired），它会保留，也可以恢复。`,
            en: `The field "${label.en}" holds data and cannot be removed. Retire it instead (x-retired): it is kept and can come back.`,
          },
        ),
      ]
    }
    if (fieldKind(now) === fieldKind(field) && now['x-ref'] === field['x-ref']) return []
    return [
      diagnose(
        'field-kind-mismatch',
        { where, at },
        {
          zh: `字段“${label.zh}”已有数据，类型不能再改。请新增一个字段。`,
          en: `The field "${label.en}" holds data: its kind cannot be changed any more. Add a new field instead.`,
        },
      ),
    ]
  })
}

/** Effects that are `locked` (a ledger, a stock) stay as the release has them. */
function keptEffects(before: EntityDocument, after: EntityDocument, where: string): Problem[] {
  const now = new Map(effectsOf(after).map(({ key, effect }) => [key, effect]))
  return effectsOf(before).flatMap(({ key, at, effect }) =>
    effect.locked !== true || dequal(now.get(key), effect)
      ? []
      : [
          diagnose(
            'invalid-shape',
            { where, at },
            {
              zh: `效果“${effect.id}”已锁定，不能修改或移除。`,
              en: `The effect "${effect.id}" is locked: it can neither be changed nor taken out.`,
            },
          ),
        ],
  )
}

/** The effects of an entity, each with what it is known by and where it stands. */
function effectsOf(entity: EntityDocument): { key: string; at: string; effect: Effect }[] {
  const lists: { key: string; at: string; effects?: readonly Effect[] }[] = [
    ...(entity['x-states'] ?? []).flatMap(({ field, transitions, enter = {} }, machine) => [
      ...transitions.map(({ id, effects }, row) => ({
        key: `${field}/${id}`,
        at: pointer('/x-states', machine, 'transitions', row, 'effects'),
        effects,
      })),
      ...Object.entries(enter).map(([state, effects]) => ({
        key: `${field}/enter/${state}`,
        at: pointer('/x-states', machine, 'enter', state),
        effects,
      })),
    ]),
    ...(['create', 'change'] as const).map((word) => ({
      key: word,
      at: pointer('/x-effects', word),
      effects: entity['x-effects']?.[word],
    })),
  ]
  return lists.flatMap(({ key, at, effects = [] }) =>
    effects.map((effect, index) => ({ key: `${key}/${effect.id}`, at: pointer(at, index), effect })),
  )
}

/** Whether a change concerns what records do by themselves or besides: effects, transitions that follow the data, deadlines. */
export function actsOtherwise(before: EntityDocument | undefined, after: EntityDocument | undefined): boolean {
  const acts = (entity: EntityDocument | undefined) =>
    entity && [
      effectsOf(entity).map(({ key, effect }) => [key, effect]),
      (entity['x-states'] ?? []).flatMap(({ field, transitions }) =>
        transitions.map(({ id, auto }) => [field, id, auto ?? null]),
      ),
      entity['x-deadlines'] ?? [],
    ]
  return !dequal(acts(before), acts(after))
}
