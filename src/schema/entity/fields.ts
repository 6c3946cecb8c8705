import type { EntityDocument, EntityField } from '../generated/entity'
import { chargeFields } from './charge'

/** Fields that every record has. `deletedAt` and `deletedBy` never leave the gateway. */
export const BASE_FIELDS: Readonly<Record<string, EntityField>> = {
  id: { type: 'string', maxLength: 40, readOnly: true, 'x-label': { zh: '编号', en: 'Id' } },
  createdAt: { type: 'string', format: 'date-time', readOnly: true, 'x-label': { zh: '创建时间', en: 'Created' } },
  createdBy: { type: 'string', 'x-ref': 'sys.staff', readOnly: true, 'x-label': { zh: '创建人', en: 'Created by' } },
  updatedAt: { type: 'string', format: 'date-time', readOnly: true, 'x-label': { zh: '更新时间', en: 'Updated' } },
  updatedBy: { type: 'string', 'x-ref': 'sys.staff', readOnly: true, 'x-label': { zh: '更新人', en: 'Updated by' } },
  version: { type: 'integer', minimum: 1, readOnly: true, 'x-label': { zh: '版本', en: 'Version' } },
  deletedAt: {
    type: 'string',
    format: 'date-time',
    readOnly: true,
    'x-internal': true,
    'x-label': { zh: '删除时间', en: 'Deleted' },
  },
  deletedBy: { type: 'string', readOnly: true, 'x-internal': true, 'x-label': { zh: '删除人', en: 'Deleted by' } },
}

/** Fields of an entity with `x-scope: owned`. All three empty = in a pool. */
export const OWNED_FIELDS: Readonly<Record<string, EntityField>> = {
  ownerId: {
    type: 'string',
    'x-ref': 'sys.staff',
    readOnly: true,
    'x-filter': true,
    'x-list': true,
    'x-label': { zh: '负责人', en: 'Owner' },
  },
  ownerDeptId: {
    type: 'string',
    'x-ref': 'sys.department',
    readOnly: true,
    'x-filter': true,
    'x-label': { zh: '归属部门', en: 'Department' },
  },
  ownedAt: { type: 'string', format: 'date-time', readOnly: true, 'x-label': { zh: '归属时间', en: 'Owned since' } },
}

/** Fields of an entity whose rows are lines of their parent. */
export const LINE_FIELDS: Readonly<Record<string, EntityField>> = {
  position: { type: 'integer', minimum: 1, readOnly: true, 'x-label': { zh: '行号', en: 'Line' } },
}

/** Whether the rows of an entity are lines: saved with their parent. */
export const isLine = ({ 'x-scope': scope }: Pick<EntityDocument, 'x-scope'>): boolean =>
  typeof scope === 'object' && 'parent' in scope && scope.line === true

/** Of an entity with `x-effective`: whether a row is future, live or past. Computed when it is read; filtered by all the same. */
export const VALIDITY = 'validity'

function effectiveFields(
  { from, until }: NonNullable<EntityDocument['x-effective']>,
  byDay: boolean,
): Record<string, EntityField> {
  const value = byDay
    ? `{{ ${until} && ${until} < today ? 'past' : ${from} && ${from} > today ? 'future' : 'live' }}`
    : `{{ ${until} && ${until} <= now ? 'past' : ${from} && ${from} > now ? 'future' : 'live' }}`
  return {
    [VALIDITY]: {
      type: 'string',
      'x-dictionary': 'validity',
      'x-derived': { value },
      'x-filter': true,
      'x-list': true,
      'x-label': { zh: '有效性', en: 'Validity' },
    },
  }
}

const matched = { 'x-internal': true, 'x-index': true, 'x-label': { zh: '查重键', en: 'Match key' } } as const
const matchKey: EntityField = { type: 'string', maxLength: 200, ...matched }
const matchKeys: EntityField = { type: 'array', items: { type: 'string' }, ...matched }

/** Of an entity with `x-duplicates`: what its records are recognised by. Nobody reads them. */
export const DUPLICATE_FIELDS: Readonly<Record<string, EntityField>> = {
  nameKey: matchKey,
  nameCore: matchKey,
  nameBigrams: matchKeys,
  domains: matchKeys,
}

/** Where a field comes from: every record, ownership, validity, or the entity's own file. */
export type FieldOrigin = 'base' | 'owned' | 'effective' | 'own'

/** Every field of an entity: base fields, owned fields or those of lines, its own, what is posted of it, its validity, in this order. An own definition of an owned field wins. */
export function allFields(entity: EntityDocument): { name: string; field: EntityField; origin: FieldOrigin }[] {
  const own = Object.entries(entity.properties).map(([name, field]) => ({ name, field, origin: 'own' as const }))
  const taken = new Set(Object.keys(entity.properties))
  const named = (fields: Readonly<Record<string, EntityField>>, origin: FieldOrigin) =>
    Object.entries(fields)
      .filter(([name]) => !taken.has(name))
      .map(([name, field]) => ({ name, field, origin }))
  const effective = entity['x-effective']
  const byDay = effective && entity.properties[effective.from]?.format === 'date'
  return [
    ...named(BASE_FIELDS, 'base'),
    ...(entity['x-scope'] === 'owned' ? named(OWNED_FIELDS, 'owned') : []),
    ...(isLine(entity) ? named(LINE_FIELDS, 'base') : []),
    ...own,
    ...named(chargeFields(entity), 'base'),
    ...(entity['x-duplicates'] ? named(DUPLICATE_FIELDS, 'base') : []),
    ...(effective ? named(effectiveFields(effective, byDay === true), 'effective') : []),
  ]
}

/** Name of a column: `seaEnteredAt` -> `sea_entered_at`, `revenue30` -> `revenue30`. */
export function columnName(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** Name of the table of an entity: `crm.dupCheck` -> `crm_dup_check`. */
export function tableName(entity: string): string {
  return columnName(entity.replace('.', '_'))
}

/** Base path of the calls of an entity, without a trailing slash. */
export function entityPath(entity: Pick<EntityDocument, 'name' | 'x-path'>): string {
  return (entity['x-path'] ?? `/v2/${entity.name.replace('.', '/')}`).replace(/\/$/, '')
}
