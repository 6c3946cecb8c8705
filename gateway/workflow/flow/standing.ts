import type { Node } from '../../../src/schema/generated/process'
import type { DetachedCall, EntityRecord } from '../../entities'
import { followRecord } from '../../platform/files'
import type { Transaction } from '../../platform/database'
import { systemContext, type Locale, type RequestContext, type Text } from '../../platform/http'
import type { StoredProcess } from '../definitions'
import type { AssignContext } from './assign'
import { exactCny, filesIn, processForm, tolerantly, type ProcessForm } from './form'
import type { FlowParts, InstanceRow, Kept } from './instance'
import { namesOf, staffById, type StaffFacts } from './people'
import { newFlow } from './reduce'
import type { FlowState } from './state'
import { placesOf } from './tree'

const CUSTOMER = 'crm.customer'

/** An instance as it stands within a transaction: its row, its version of the process, its form and what is filled in. The parts of a turn read it. */
export class Standing {
  readonly call: DetachedCall
  readonly form: ProcessForm
  readonly kept: Kept
  values: EntityRecord
  /** The state at the beginning of the turn. */
  readonly before: FlowState
  /** Names of people whom messages name. */
  readonly names = new Map<string, Text>()
  applicant: StaffFacts | undefined
  formChanged = false
  private departmentName: string | null = null

  constructor(
    readonly parts: FlowParts,
    readonly tx: Transaction,
    readonly context: RequestContext,
    readonly row: InstanceRow,
    readonly process: StoredProcess,
  ) {
    this.call = { tx, context }
    this.form = processForm(parts.engine, process.document)
    this.kept = row.state?.flow ? row.state : { ...row.state, flow: newFlow(), picked: {}, trail: {}, formVersion: row.version }
    this.before = structuredClone(this.kept.flow)
    this.values = row.formData ?? {}
  }

  get flow(): FlowState {
    return this.kept.flow
  }

  nodeOf(id: string): Node | undefined {
    return placesOf(this.process.document).get(id)?.node
  }

  labelOf(id: string): Text {
    const node = this.nodeOf(id)
    return node?.label ?? { zh: id, en: id }
  }

  /** The names that expressions of the process read besides fields and look-ups; texts for readers of English name the applicant in it. */
  named(locale: Locale = 'zh'): EntityRecord {
    const { row } = this
    const amountCny = exactCny(row.amountCny)
    const urgency = (this.values.urgency as string | null) ?? 'normal'
    const departmentName = this.departmentName
    return {
      instance: {
        id: row.id,
        code: row.code,
        round: this.kept.flow.round,
        startedAt: row.startedAt,
        applicantId: row.applicantId,
        urgency,
        amountCny,
      },
      applicant: {
        id: row.applicantId,
        name: this.applicant ? namesOf(this.applicant)[locale] : '',
        deptId: row.deptId,
        departmentName,
      },
      amountCny,
    }
  }

  /** Reads what the names need; before anything is evaluated. */
  protected async prepare(): Promise<void> {
    this.applicant = (await staffById(this.tx, [this.row.applicantId])).get(this.row.applicantId)
    if (this.row.deptId) {
      const { rows } = await this.tx.query<{ name: string }>('select name from sys_department where id = $1', [this.row.deptId])
      this.departmentName = rows[0]?.name ?? null
    }
  }

  about(): AssignContext {
    return {
      process: this.process,
      form: this.form,
      values: this.values,
      named: this.named(),
      applicantId: this.row.applicantId,
      state: this.kept.flow,
      picked: this.kept.picked,
    }
  }

  /** Lays changed values over the form; what the instance is called and amounts to follows. */
  async fill(values: EntityRecord): Promise<void> {
    const before = filesIn(this.row.formData)
    this.values = values
    const { row, form, call } = this
    const worth = await form.worth(call, values, this.named())
    Object.assign(row, worth)
    row.urgency = (values.urgency as string | null) ?? 'normal'
    const applicant = this.applicant ? namesOf(this.applicant) : { zh: '', en: '' }
    const { document } = this.process
    const title = document.title
      ? await this.titled(tolerantly(document.title))
      : { zh: `${applicant.zh} · ${document.label.zh}`, en: `${applicant.en} · ${document.label.en}` }
    row.titleZh = title.zh.slice(0, 300)
    row.titleEn = title.en.slice(0, 300)
    row.formData = values
    const wanted = document.wantedBy === undefined ? null : values[document.wantedBy]
    row.wantedOn = typeof wanted === 'string' && wanted !== '' ? wanted.slice(0, 10) : null
    row.summary = await this.summaryOf()
    row.customerAlias = await this.aliasOf()
    const object = document.object && form.records.model.fields.get(document.object.field)
    if (object && row.bizId === null && typeof values[object.name] === 'string') {
      row.bizId = String(values[object.name])
      row.bizType = String(object.field['x-ref'] ?? '') || null
    }
    await followRecord(this.tx, this.context, {
      entity: 'wf.instance',
      recordId: row.id,
      before,
      after: [...new Set([...filesIn(values), ...before])],
    })
    this.formChanged = true
  }

  private async titled(text: Text): Promise<Text> {
    const { form, call, values } = this
    const title = await form.records.text(call, values, this.named(), text)
    if (!this.applicant || namesOf(this.applicant).en === this.applicant.name) return title
    const { en } = await form.records.text(call, values, this.named('en'), { zh: text.en, en: text.en })
    return { zh: title.zh, en }
  }

  /** What operations and suppliers know the customer of the form by; nothing where it names none, or one without an alias. */
  private async aliasOf(): Promise<string | null> {
    const { form, values, parts, tx, context } = this
    const field = Object.entries(form.fields).find(([name, one]) => one['x-ref'] === CUSTOMER && typeof values[name] === 'string')
    if (!field || !parts.engine.names().includes(CUSTOMER)) return null
    const customer = await parts.engine.entities(tx, systemContext({ now: context.now })).find(CUSTOMER, String(values[field[0]]))
    return typeof customer?.alias === 'string' ? customer.alias : null
  }

  /** What lists show: labels and values in words, of the fields that the process names. */
  private async summaryOf(): Promise<{ field: string; label: Text; value: unknown; text?: string }[]> {
    const { document } = this.process
    const names = document.summary ?? []
    const wanted: Record<string, string[]> = {}
    for (const name of names) {
      const entity = this.form.records.model.fields.get(name)?.field['x-ref']
      const id = this.values[name]
      if (entity && typeof id === 'string') wanted[entity] = [...(wanted[entity] ?? []), id]
    }
    const titles: Readonly<Record<string, Readonly<Record<string, { title: string }>>>> =
      Object.keys(wanted).length === 0 ? {} : await this.parts.engine.titles(systemContext({ now: this.context.now }), wanted)
    return names.map((name) => {
      const field = this.form.records.model.fields.get(name)
      const value = this.values[name] ?? null
      const entity = field?.field['x-ref']
      const text = entity && typeof value === 'string' ? titles[entity]?.[value]?.title : undefined
      return { field: name, label: field?.label ?? { zh: name, en: name }, value, ...(text === undefined ? {} : { text }) }
    })
  }

  /** Who gets a copy besides those of the steps: named at the start, or in the form. */
  ccIds(): string[] {
    return [...new Set([...(this.row.ccIds ?? []), ...(Array.isArray(this.values.ccIds) ? (this.values.ccIds as string[]) : [])])]
  }

  /** As the process itself, whoever acts. */
  system(): RequestContext {
    return systemContext({ now: this.context.now, locale: this.context.locale, traceId: this.context.traceId })
  }
}
