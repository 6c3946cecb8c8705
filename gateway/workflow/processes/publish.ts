import { hashOf } from '../../../src/schema/process'
import type { ProcessDocument } from '../../../src/schema/generated/process'
import type { EntityRecord, RecordOf } from '../../entities'
import { ServiceError } from '../../platform/http'
import { formHash, keepForm, type Writing } from '../forms/store'

/** A process that is to be in force. */
export interface Publication {
  /** The stored process; without it one of the document's name is looked for, or made. */
  id?: string | undefined
  document: ProcessDocument
  /** A form that stands already and is used as well by others; default the process' own. */
  formId?: string | undefined
  source: 'file' | 'admin'
  note?: string | null
  /** Number of the version that was changed; another one now is a conflict. */
  basedOn?: number | undefined
}

export interface Published {
  id: string
  versionId: string
  versionNo: number
  /** A new version was made. */
  changed: boolean
}

/**
 * Makes a document the current version of its process: what is started from now on takes it, what runs keeps its own (money 7.1
 * `wf.processVersion`). A document that says the same as the current version makes none.
 * @throws ServiceError 10010006 when somebody else has saved in between
 */
export async function publish(writing: Writing, given: Publication): Promise<Published> {
  const { entities, context } = writing
  const { document } = given
  const process = await existing(writing, given)
  if (process && given.basedOn !== undefined && Number(process['versionNo']) !== given.basedOn)
    throw await conflict(writing, process)
  const current = process?.['currentVersionId']
    ? await entities.find('wf.processVersion', String(process['currentVersionId']))
    : null
  const text = JSON.stringify(document)
  const form = await keepForm(writing, {
    ...((given.formId ?? process?.['formId']) ? { id: String(given.formId ?? process?.['formId']) } : {}),
    code: document.name,
    name: document.label,
    definition: document.form,
    serviceName: document.service ?? 'none',
    source: given.source,
    note: given.note ?? null,
  })
  const facts = { ...factsOf(document), formId: form.id }
  if (process && current && current['document'] === text) {
    await entities.save('wf.process', { id: process['id'], ...facts })
    return { id: String(process['id']), versionId: String(current['id']), versionNo: Number(current['no']), changed: false }
  }
  const versionNo = current ? Number(current['no']) + 1 : 1
  const head = await entities.save('wf.process', {
    ...(process ? { id: process['id'] } : { code: document.name }),
    ...facts,
    source: given.source,
    versionNo,
  })
  const version = await entities.save('wf.processVersion', {
    processId: head['id'],
    no: versionNo,
    document: text,
    hash: hashOf(document),
    formHash: formHash(document.form),
    source: given.source,
    note: given.note ?? null,
    publishedAt: context.now.toISOString(),
    publishedBy: context.user.staffId || null,
  })
  await entities.save('wf.process', { id: head['id'], currentVersionId: version['id'] })
  return { id: String(head['id']), versionId: String(version['id']), versionNo, changed: true }
}

/** What lists and choices show of a process, as its document says it. */
const factsOf = (document: ProcessDocument): EntityRecord => ({
  nameZh: document.label.zh,
  nameEn: document.label.en,
  groupCode: document.group,
  icon: document.icon ?? null,
  serviceName: document.service ?? 'none',
  path: document.path ?? null,
  startScope: document.startScope ?? null,
  decidesEntity: document.decides?.entity ?? null,
  ...(document.sort === undefined ? {} : { sort: document.sort }),
})

async function existing({ entities }: Writing, { id, document }: Publication): Promise<RecordOf<'wf.process'> | null> {
  if (id === undefined) {
    const where = [{ field: 'code', operator: 'eq', value: document.name }] as const
    return (await entities.list('wf.process', { where, limit: 1, lock: true }))[0] ?? null
  }
  const found = await entities.find('wf.process', id, { lock: true })
  if (!found) throw new ServiceError('notFound')
  if (found['code'] !== document.name)
    throw new ServiceError('validationFailed', {
      message: {
        zh: `流程编码 ${String(found['code'])} 建立后不能修改。`,
        en: `The code ${String(found['code'])} of a process cannot be changed.`,
      },
      data: { errors: [{ pointer: '/name', field: 'name', rule: 'immutable', text: 'name', message: 'name' }] },
    })
  return found
}

async function conflict({ entities }: Writing, process: EntityRecord): Promise<ServiceError> {
  const version = await entities.find('wf.processVersion', String(process['currentVersionId']))
  const by = version?.['publishedBy'] ? await entities.find('sys.staff', String(version['publishedBy'])) : null
  const who = { zh: String(by?.['name'] ?? '系统'), en: String(by?.['nameEn'] ?? by?.['name'] ?? 'the system') }
  const at = String(version?.['publishedAt'] ?? '')
  return new ServiceError('stale', {
    message: {
      zh: `${who.zh} 已发布第 ${String(process['versionNo'])} 版。请比较两版后重新保存。`,
      en: `Version ${String(process['versionNo'])} was published by ${who.en} in between. Compare both and save again.`,
    },
    data: { version: process['versionNo'], changes: [], by: who.zh, at },
  })
}
