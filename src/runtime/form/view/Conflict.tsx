import '../table/table.css'
import { Button, Modal } from 'antd'
import { controlOf, resolveControl } from '../controls/registry'
import { componentProps } from '../engine/node'
import { dateTimeText } from '../controls/shown'
import { changesOf } from '../session/body'
import type { Conflict as ConflictData } from '../session/submit'
import { choicesOf } from './choices'
import type { OpenForm } from './open'
import { textContext, useText } from './session'

type Change = ConflictData['changes'][number]

interface ConflictProps {
  form: OpenForm
  conflict: ConflictData
  onClose(): void
  onSave(): void
}

/** Somebody saved in between: field by field what they saved and what is in this form, and the choice between them. */
const Conflict = ({ form, conflict, onClose, onSave }: ConflictProps) => {
  const t = useText()
  const { engine, host } = form
  const mine = changesOf(form.baseline, engine.values())
  const name = conflict.by ? (form.titles.get('sys.staff', conflict.by) ?? conflict.by) : undefined

  const items = new Map(engine.plan.items.map((item) => [item.path, item]))
  const shown = (path: string, value: unknown): string => {
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
    const title = engine.dataField(items.get(field)?.address ?? '')?.title
    return typeof title === 'string' ? title : (named ?? field)
  }

  /** What they saved moves into the form where this person changed nothing (`all`: everywhere). */
  const adopt = (all: boolean): void => {
    for (const { field, after } of conflict.changes) {
      const item = items.get(field)
      if (item && (all || !(field in mine))) engine.form.setValuesIn(item.path, after)
      if (item) form.baseline[field] = after
    }
    form.record.version = conflict.version
  }

  return (
    <Modal
      open
      width={720}
      title={t('staleTitle')}
      onCancel={onClose}
      footer={[
        <Button
          key="take"
          onClick={() => {
            adopt(true)
            onClose()
          }}
        >
          {t('staleTake')}
        </Button>,
        <Button
          key="keep"
          type="primary"
          onClick={() => {
            adopt(false)
            onSave()
          }}
        >
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
              <td className="sb-table-cell">{theirs(change)}</td>
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
