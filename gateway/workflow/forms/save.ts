import type { Form, ProcessDocument } from '../../../src/schema/generated/process'
import type { Transaction } from '../../platform/database'
import { ServiceError, type Locale, type Text } from '../../platform/http'
import { currentProcess } from '../definitions'
import { refuseProblems, type CheckProcess } from '../processes/check'
import { publish } from '../processes/publish'
import { keepForm, type FormInput, type Writing } from './store'

export interface SavedForm {
  id: string
  versionNo: number
  changed: boolean
  /** Processes that use the form, each with the version that it got. */
  processes: { id: string; code: string; name: Text; versionNo: number }[]
}

/**
 * Saves a form. Every process that uses it gets a version of its own with it, after it was checked with it; one that would not be right any more
 * refuses the whole, with the reason. What runs keeps the form that was signed.
 * @throws ServiceError 10010005 with the errors, 10010006 when somebody else has saved in between
 */
export async function saveForm(
  tx: Transaction,
  writing: Writing,
  { check, basedOn, ...form }: FormInput & { check: CheckProcess; basedOn?: number | undefined },
): Promise<SavedForm> {
  const { locale } = writing.context
  if (form.id !== undefined) await requireCurrent(writing, form.id, basedOn)
  const users = form.id === undefined ? [] : await usersOf(tx, form.id)
  if (users.length === 0) await checkAlone(check, form, locale)
  const kept = await keepForm(writing, form)
  const processes: SavedForm['processes'] = []
  for (const { id } of users) {
    const process = await currentProcess(tx, { id })
    if (!process) continue
    const document: ProcessDocument = { ...process.document, form: form.definition }
    refuseProblems(await check(document), locale, document.label)
    const { versionNo } = await publish(writing, { id, document, formId: kept.id, source: 'admin', note: form.note ?? null })
    processes.push({ id, code: process.code, name: document.label, versionNo })
  }
  return { ...kept, processes }
}

/** Processes that use a form. */
export async function usersOf(tx: Pick<Transaction, 'query'>, formId: string) {
  const { rows } = await tx.query<{ id: string; code: string; nameZh: string; nameEn: string }>(
    `select id, code, name_zh as "nameZh", name_en as "nameEn" from wf_process where form_id = $1 and deleted_at is null order by sort, code`,
    [formId],
  )
  return rows
}

async function requireCurrent({ entities }: Writing, id: string, basedOn: number | undefined): Promise<void> {
  const form = await entities.find('wf.form', id, { lock: true })
  if (!form) throw new ServiceError('notFound')
  if (basedOn === undefined || Number(form['versionNo']) === basedOn) return
  const by = form['updatedBy'] ? await entities.find('sys.staff', String(form['updatedBy'])) : null
  const who = { zh: String(by?.['name'] ?? '系统'), en: String(by?.['nameEn'] ?? by?.['name'] ?? 'the system') }
  throw new ServiceError('stale', {
    message: {
      zh: `${who.zh} 已保存表单第 ${String(form['versionNo'])} 版。请比较后重新保存。`,
      en: `${who.en} saved version ${String(form['versionNo'])} of the form in between. Compare both and save again.`,
    },
    data: { version: form['versionNo'], changes: [], by: who.zh, at: form['updatedAt'] },
  })
}

/** A form that no process uses yet is checked as the form of the simplest one. */
async function checkAlone(check: CheckProcess, { code, name, definition }: FormInput, locale: Locale): Promise<void> {
  const problems = await check(simplest(code, name, definition))
  refuseProblems(
    problems.filter(({ pointer }) => pointer.startsWith('/form')),
    locale,
  )
}

/** A process that only asks a form. */
export const simplest = (code: string, label: Text, form: Form): ProcessDocument => ({
  formatVersion: 3,
  name: code,
  label,
  group: 'ops',
  prefix: 'F',
  form,
  nodes: [
    { id: 'start', kind: 'start' },
    { id: 'end', kind: 'end' },
  ],
})
