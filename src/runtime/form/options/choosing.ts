import type { Field } from '@formily/core'
import { isField } from '@formily/core'
import { batch, observable, untracked } from '@formily/reactive'
import type { FormNodeModel, OptionsModel } from '../../../schema/model'
import { toFailure } from '../../../headless/failure'
import type { Host, HostRequest } from '../../../headless/host'
import { textWord } from '../../../headless/form/node'
import type { FollowOptions } from '../../../headless/form/types'
import { ask, type Answer, type Asking } from './answers'
import { choicesFrom, valuesIn, type Option } from './choices'
import { askedBy, isEmpty, scopeOf } from './request'
import { missingText } from './texts'

/** After a key was struck, a moment passes before anything is asked. */
const PAUSE = 250

/** What is seen of the options of a field beside the field itself. */
interface Seen {
  answer: Answer | undefined
  failure: string | undefined
  /** Title of the field that has to be filled in first; '' when its name is not known. */
  missing: string | undefined
  /** There are more than can be offered. */
  cut: boolean
  keyword: string
  tries: number
  /** Counts the titles that arrived later. */
  titles: number
}

/** The options of one field: what was asked for last, and what came of it. */
class Choosing {
  readonly seen = observable.shallow<Seen>({
    answer: undefined,
    failure: undefined,
    missing: undefined,
    cut: false,
    keyword: '',
    tries: 0,
    titles: 0,
  })
  /** What the options depend on, as it was asked for last; undefined before the first time. */
  private key: string | undefined
  private sent = ''
  private asking: Asking | undefined
  /** What the control says by itself, while it says what comes first. */
  private replaced: { placeholder: unknown; by: string } | undefined
  private timer: ReturnType<typeof setTimeout> | undefined
  /** Names of what is chosen and not among the options. */
  private readonly named = new Map<unknown, Option>()
  private readonly asked = new Set<unknown>()
  private shown = ''
  /** What the options were made of the last time: without it they are there for the first time. */
  private source: unknown = undefined

  constructor(
    private readonly host: Host,
    private readonly field: Field,
    private readonly node: FormNodeModel,
    private readonly options: OptionsModel,
  ) {
    field.disposers.push(() => this.leave())
  }

  readonly retry = (): void => {
    this.seen.tries += 1
  }

  /** Brings the options up to date; what it reads makes the reaction of the field run again. */
  follow(scope: object): void {
    const { field, options, seen } = this
    if (field.display !== 'visible') return this.leave()
    const rows = this.rows(scope)
    const choices = rows
      ? choicesFrom(rows, {
          options,
          host: this.host,
          scope,
          refs: seen.answer?.refs ?? {},
          cells: textWord(this.node, 'x-component') === 'SelectTable',
          keepsAll: options.from.type === 'values' && !field.componentType,
        })
      : []
    const whole = rows ? [...choices, ...this.chosen(choices)] : []
    untracked(() => {
      if (rows) this.dropOthers(choices, seen.answer ?? this)
      const now = JSON.stringify(whole)
      if (now === this.shown && field.dataSource !== undefined) return
      this.shown = now
      field.setDataSource(whole as never[])
    })
  }

  /** The rows that the options are made of; undefined while they are not known. */
  private rows(scope: object): readonly unknown[] | undefined {
    const { from } = this.options
    if (from.type === 'values') return from.rows
    if (from.type === 'rows') {
      const base = from.path.startsWith('.') ? this.field.path.parent().toString() : ''
      const path = from.path.replace(/^\./, '')
      const list: unknown = this.field.form.getValuesIn(base ? `${base}.${path}` : path)
      return Array.isArray(list) ? (list as unknown[]) : []
    }
    return this.remote(scope)
  }

  private remote(scope: object): readonly unknown[] | undefined {
    const { seen, options, field } = this
    const asked = askedBy(options, field, scope)
    if (!asked || 'missing' in asked) {
      untracked(() => this.wait(asked?.missing ?? ''))
      return undefined
    }
    const { request } = asked
    const key = JSON.stringify(request)
    untracked(() => {
      if (key === this.key) return
      const first = this.key === undefined
      if (!first) this.clear()
      this.change({ missing: undefined, answer: undefined, keyword: '', cut: false })
      this.named.clear()
      this.asked.clear()
      this.key = key
    })
    const keyword = seen.keyword
    const body = keyword === '' ? request.body : { ...(request.body as object), keyword }
    const sent = `${key} ${keyword} ${seen.tries}`
    untracked(() => {
      if (sent === this.sent) return
      const pause = this.sent === '' || seen.failure !== undefined ? 0 : PAUSE
      this.leave()
      this.sent = sent
      this.send(request.body === undefined ? request : { ...request, body }, pause)
    })
    return seen.answer?.rows
  }

  private change(seen: Partial<Seen>): void {
    batch(() => Object.assign(this.seen, seen))
  }

  private wait(missing: string): void {
    this.leave()
    if (this.key !== undefined) this.clear()
    this.key = ''
    this.sent = ''
    this.change({ missing, answer: undefined, failure: undefined, keyword: '', cut: false })
    this.place(missing)
  }

  /** Says in the control itself what comes first, as long as it is missing. */
  private place(missing: string | undefined): void {
    const { replaced, field } = this
    const now = field.componentProps.placeholder as unknown
    // an expression of the control's own may have set another one
    if (replaced && now === replaced.by) field.setComponentProps({ placeholder: replaced.placeholder })
    this.replaced = undefined
    if (missing === undefined) return
    this.replaced = { placeholder: field.componentProps.placeholder as unknown, by: missingText(this.host.locale, missing) }
    field.setComponentProps({ placeholder: this.replaced.by })
  }

  private send(request: HostRequest, pause: number): void {
    const { sent, field } = this
    this.place(undefined)
    this.change({ failure: undefined })
    field.setLoading(true)
    const go = (): void => {
      this.timer = undefined
      this.asking = ask(this.host, request)
      this.asking.answer.then(
        (answer) => this.sent === sent && this.arrived(answer),
        (error: unknown) => {
          if (this.sent !== sent) return
          this.settle()
          this.change({ failure: toFailure(error, this.host.locale).message })
        },
      )
    }
    if (pause > 0) this.timer = setTimeout(go, pause)
    else go()
  }

  private arrived(answer: Answer): void {
    const { field, options, seen } = this
    const more = options.from.type === 'entity' && seen.keyword === '' && answer.rows.length >= options.most
    batch(() => {
      this.settle()
      this.change({ answer, ...(more ? { cut: true } : {}) })
      if (more && options.searches)
        field.setComponentProps({
          showSearch: true,
          filterOption: false,
          onSearch: (typed: string) => {
            seen.keyword = typed.trim()
          },
        })
    })
  }

  private settle(): void {
    this.asking = undefined
    this.field.setLoading(false)
  }

  /** Breaks off what runs; it is asked for again when the field is seen again. */
  private leave(): void {
    if (!this.asking && this.timer === undefined) return
    clearTimeout(this.timer)
    this.timer = undefined
    this.asking?.leave()
    this.settle()
    this.sent = ''
  }

  /** Options for what is chosen and not offered: its name, as far as it can be known. */
  private chosen(choices: readonly Option[]): Option[] {
    const { from } = this.options
    if (from.type !== 'entity' || this.options.parent !== undefined) return []
    const { seen, field } = this
    void seen.titles
    const offered = valuesIn(choices)
    const values = [field.value as unknown].flat().filter((value) => !isEmpty(value) && typeof value !== 'object')
    const others = values.filter((value) => !offered.has(value as string))
    untracked(() => {
      // the answer to what is typed next does not hold what was just found
      if (seen.cut) for (const choice of choices) this.named.set(choice.value, choice)
      this.askNames(others.filter((value) => !this.named.has(value) && !this.asked.has(value)))
    })
    return others.flatMap((value) => this.named.get(value) ?? [])
  }

  private askNames(values: readonly unknown[]): void {
    const { from, value = 'id' } = this.options
    if (values.length === 0 || from.type !== 'entity') return
    for (const one of values) this.asked.add(one)
    const which = value === 'id' ? { ids: values } : { where: [{ field: value, operator: 'in', value: values }] }
    const { key } = this
    ask(this.host, { ...from.call, body: { ...which, pageSize: values.length } }).answer.then(
      ({ rows, refs }) => {
        if (key !== this.key) return
        const scope = scopeOf(this.field, {})
        const named = choicesFrom(rows, { options: this.options, host: this.host, scope, refs, cells: false, keepsAll: true })
        for (const option of named)
          this.named.set(option.value, this.seen.cut ? option : { ...option, retired: true, disabled: true })
        this.seen.titles += 1
      },
      // the value stands as it is
      () => undefined,
    )
  }

  /** Another field is being filled in by a person, and this one follows. */
  private get isDriven(): boolean {
    const { field } = this
    return (
      field.pattern !== 'readPretty' &&
      Object.values(field.form.fields).some((other) => other !== field && isField(other) && other.caches.inputting === true)
    )
  }

  /** What a person changed makes the choice another one; what a record brought stays. */
  private clear(): void {
    const { field } = this
    if (this.isDriven && !isEmpty(field.value)) field.setValue((Array.isArray(field.value) ? [] : null) as never)
  }

  /** Takes away what is offered no more since a person changed what the options are made of. */
  private dropOthers(choices: readonly Option[], source: unknown): void {
    const { field, seen } = this
    const again = this.source === source
    this.source = source
    const value: unknown = field.value
    if (!again || seen.cut || isEmpty(value) || !this.isDriven) return
    const offered = valuesIn(choices)
    const kept = [value].flat().filter((one) => typeof one === 'object' || offered.has(one as string))
    if (kept.length === [value].flat().length) return
    const path = textWord(this.node, 'x-component') === 'Cascader'
    field.setValue((!Array.isArray(value) ? null : path ? [] : kept) as never)
  }
}

const known = new WeakMap<object, Choosing>()

/** What is to be seen of the options of a field; undefined for one that has none, or was not shown yet. */
export const optionsSeen = (field: object): Pick<Choosing, 'seen' | 'retry'> | undefined => known.get(field)

/** Keeps the choices of fields as `x-options` of their nodes say. */
export const followOptions =
  (host: Host): FollowOptions =>
  (node, given) =>
  (field) => {
    const options = node['x-options']
    if (!isField(field) || !options) return
    const choosing = known.get(field) ?? new Choosing(host, field, node, options)
    known.set(field, choosing)
    choosing.follow(scopeOf(field, given))
  }
