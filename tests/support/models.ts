import type { ActionModel, ColumnModel, FieldKind, PageField, FilterModel, ListBodyModel } from '../../src/schema/model'

/** Small compiled models for tests of the runtime that are not about compiling. */

const NUMBERS: readonly FieldKind[] = ['integer', 'decimal', 'money', 'percent']

export const field = (name: string, kind: FieldKind = 'string', more: Partial<PageField> = {}): PageField => ({
  entity: 'test.thing',
  name,
  kind,
  label: name,
  required: false,
  readOnly: false,
  immutable: false,
  computed: false,
  control: 'text',
  align: NUMBERS.includes(kind) ? 'right' : 'left',
  width: 120,
  operators: ['contains', 'eq', 'in', 'between', 'gte', 'lte', 'empty', 'notEmpty'],
  sortable: true,
  ...more,
})

export const column = (
  name: string,
  kind: FieldKind = 'string',
  more: Partial<ColumnModel> = {},
  fieldMore: Partial<PageField> = {},
): ColumnModel => {
  const model = field(name, kind, fieldMore)
  return {
    id: name,
    title: name[0]?.toUpperCase() + name.slice(1),
    field: model,
    path: [name],
    cell: kind,
    width: model.width,
    hidden: false,
    align: model.align,
    sortable: true,
    source: { where: 'test.json', at: `/columns/${name}` },
    ...more,
  }
}

export const filter = (
  name: string,
  kind: FieldKind = 'string',
  more: Partial<FilterModel> = {},
  fieldMore: Partial<PageField> = {},
): FilterModel => ({
  id: name,
  title: name[0]?.toUpperCase() + name.slice(1),
  field: field(name, kind, fieldMore),
  path: [name],
  operator: 'contains',
  control: 'text',
  more: false,
  source: { where: 'test.json', at: `/filters/${name}` },
  ...more,
})

export const action = (id: string, effect: ActionModel['effect'], more: Partial<ActionModel> = {}): ActionModel => ({
  id,
  label: id[0]?.toUpperCase() + id.slice(1),
  primary: false,
  danger: false,
  visible: () => true,
  disabledBecause: () => null,
  effect,
  after: 'reload',
  source: { where: 'test.json', at: `/actions/${id}` },
  ...more,
})

export const listBody = (more: Partial<ListBodyModel> = {}): ListBodyModel => ({
  entity: 'test.thing',
  entityLabel: 'Thing',
  path: '/v2/test/thing',
  calls: {
    query: { method: 'POST', path: '/v2/test/thing/queryPage' },
    export: { method: 'POST', path: '/v2/test/thing/export' },
    aggregate: { method: 'POST', path: '/v2/test/thing/aggregate' },
    importPreview: { method: 'POST', path: '/v2/test/thing/import/preview' },
    importCommit: { method: 'POST', path: '/v2/test/thing/import/commit' },
  },
  where: () => [],
  compared: [],
  views: [],
  columns: [column('name'), column('amount', 'decimal')],
  filters: [],
  further: () => undefined,
  keyword: ['Name'],
  sort: [],
  pageSize: 20,
  paging: 'pages',
  layout: 'table',
  rowKey: 'id',
  actions: [],
  rowActions: [],
  bulkActions: [],
  summary: false,
  operations: { add: true, edit: true, delete: true, import: true, export: true, restore: true },
  source: { where: 'test.json', at: '' },
  ...more,
})
