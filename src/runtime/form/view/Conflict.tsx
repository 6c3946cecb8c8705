import '../table/table.css'
import { Button, Modal } from 'antd'
import { formatOf } from '../../../schema/formats'
import { toFailure } from '../../../headless/failure'
import { LinesChange } from '../../lines/LinesChange'
import { controlOf, resolveControl } from '../controls/registry'
import { componentProps } from '../../../headless/form/node'
import { dateTimeText } from '../controls/shown'
import { changesOf } from '../session/body'
import type { Conflict as ConflictData } from '../session/submit'
import { choicesOf } from './choices'
import type { OpenForm } from './open'
import { QUESTION_TEXTS } from './questionTexts'
import { textContext, useTextsOf } from './session'

type Change = ConflictData['changes'][number]
type Line = Readonly<Record<string, unknown>>

interface ConflictProps {
  form: OpenForm
  conflict: ConflictData
  onClose(): void
  onSave(): void
}

/** Somebody saved in between: field by field what they saved and what is in this form, and the choice between them. */
const Conflict = ({ form, conflict, onClose, onSave }: ConflictProps) => {
  const t = useTextsOf(QUESTION_TEXTS)
  const { engine, host } = form
  const mine = changesOf(form.baseline, engine.values())
  const name = conflict.by ? (form.titles.get('sys.staff', conflict.by) ?? conflict.by) : undefined

  const tables = new Map(engine.plan.tables.map((table) => [table.path, table]))
  const items = new Map(engine.plan.items.map((item) => [item.path, item]))
  const shown = (path: string, value: unknown): string => {
    if (Array.isArray(value) && tables.has(path)) return formatOf('lines').show(value, {}, host)
    const item = items.get(path)
    if (!item) return '—'
    const context = textContext(form, path, {
      choices: choicesOf(item.node.enum, item.field),
      props: componentProps(item.node),
      ...(item.field ? { field: item.field } : {}),
    })
    return controlOf(resolveControl(item.control, item.field)).text(value, context) || '—'
  }
  /** What they saved: as the form shows it, in the gateway's words where the form has no such field. */
  const theirs = ({ field, after, text }: Change): string => {
    if (items.has(field)) return shown(field, after)
    if (text !== undefined) return text || '—'
    return typeof after === 'object' && after !== null ? t('staleOther') : dateTimeText(after, { timeZone: host.timeZone }) || '—'
  }
  const label = ({ field, label: named }: Change): string => {
    const title = engine.dataField((items.get(field) ?? tables.get(field))?.address ?? '')?.title
    return typeof title === 'string' ? title : (named ?? field)
  }

  /** What they saved moves into the form where this person changed nothing (`all`: everywhere). */
  const adopt = async (all: boolean): Promise<void> => {
    const current = conflict.changes.some(({ lines }) => lines) ? await readRecord() : {}
    for (const { field, after, lines } of conflict.changes) {
      if (lines) adoptLines(field, (current[field] ?? []) as readonly Line[], all)
      const item = items.get(field)
      if (item && (all || !(field in mine))) engine.form.setValuesIn(item.path, after)
      if (item) form.baseline[field] = after
    }
    form.record.version = conflict.version
  }

  /** Lines are whole lists: those of the record now, or this person's; of his, a line that they removed becomes a new one. */
  const adoptLines = (field: string, stored: readonly Line[], all: boolean): void => {
    if (!tables.has(field)) return
    const known = new Set(stored.map(({ id }) => id))
    const own = (engine.values()[field] ?? []) as readonly Line[]
    const kept = own.map(({ id, ...line }) => (id === undefined || known.has(id) ? { id, ...line } : line))
    engine.form.setValuesIn(field, all || !(field in mine) ? stored.map((line) => ({ ...line })) : kept)
    form.baseline[field] = stored
  }

  const readRecord = async (): Promise<Readonly<Record<string, unknown>>> => {
    const { viewCall } = form.model
    if (!viewCall) return {}
    const path = viewCall.path.replace('{id}', encodeURIComponent(String(form.record.id)))
    const answer = await host.request<{ record: Readonly<Record<string, unknown>> }>({ method: viewCall.method, path })
    return answer.record
  }
  const choose = (all: boolean, then: () => void): void => {
    adopt(all).then(then, (error: unknown) => host.notify('error', toFailure(error, host.locale).message))
  }

  return (
    <Modal
      open
      width={720}
      title={t('staleTitle')}
      onCancel={onClose}
      footer={[
        <Button key="take" onClick={() => choose(true, onClose)}>
          {t('staleTake')}
        </Button>,
        <Button key="keep" type="primary" onClick={() => choose(false, onSave)}>
          {t('staleKeep')}
        </Button>,
      ]}
    >
      <p>{name ? t('staleBy', { name, time: dateTimeText(conflict.at, { timeZone: host.timeZone }) }) : t('staleUnknown')}</p>
      <table className="sb-rows sb-conflict">
        <thead>
          <tr>
            <th scope="col">{t('staleField')}</th>
            <th scope="col">{t('staleTheirs')}</th>
            <th scope="col">{t('staleMine')}</th>
          </tr>
        </thead>
        <tbody>
          {conflict.changes.map((change) => (
            <tr key={change.field}>
              <th scope="row">{label(change)}</th>
              <td className="sb-table-cell">
                {change.lines ? <LinesChange lines={change.lines} locale={host.locale} /> : theirs(change)}
              </td>
              <td className={change.field in mine ? 'sb-table-cell sb-table-bad' : 'sb-table-cell'}>
                {change.field in mine ? shown(change.field, mine[change.field]) : '—'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Modal>
  )
}

export default Conflict
