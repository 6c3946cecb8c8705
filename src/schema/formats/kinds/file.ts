import { cellText, isBlank, PRESENCE_OPERATORS, refuse, say, textCell, type FieldFormat } from '../format'

/** A stored file as a record holds it. */
export interface FileValue {
  id: string
  name: string
  /** Bytes. */
  size?: number
  /** Media type. */
  type?: string
}

export function isFileValue(value: unknown): value is FileValue {
  if (typeof value !== 'object' || value === null) return false
  const { id, name } = value as Partial<Record<string, unknown>>
  return typeof id === 'string' && id !== '' && typeof name === 'string' && name !== '' && !/[/\\\0]/.test(name)
}

function show(value: unknown): string {
  return isFileValue(value) ? value.name : ''
}

/** One uploaded file: its id in the file store and its name. */
export const fileFormat: FieldFormat = {
  kind: 'file',
  store: { sql: 'jsonb' },
  align: 'left',
  width: 180,
  operators: PRESENCE_OPERATORS,
  control: 'file',
  filterControl: 'presence',
  validate: (value) =>
    isBlank(value) || isFileValue(value) ? null : say('须是已上传的文件。', 'It has to be an uploaded file.'),
  show,
  parse: (cell) =>
    cellText(cell) === null
      ? { value: null }
      : refuse('文件不能通过表格导入，请在页面上传。', 'Files cannot be imported from a table: upload them on the page.'),
  export: (value) => textCell(show(value)),
  example: {
    field: { type: 'object', format: 'file' },
    value: { id: 'f1', name: '合同.pdf', size: 1024 },
    shown: { zh: '合同.pdf', en: '合同.pdf' },
    typed: [],
  },
}
