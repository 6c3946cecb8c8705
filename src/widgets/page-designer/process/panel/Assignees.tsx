import { CloseOutlined } from '@ant-design/icons'
import { Button, InputNumber, Select, Space } from 'antd'
import { useState } from 'react'
import { RemoteSelect, SearchSelect } from '../../../../runtime/choice/SearchSelect'
import { useHost } from '../../../../runtime/hostContext'
import { useCall } from '../../../../runtime/reading/useCall'
import type { Assignee } from '../../../../schema/generated/process'
import { useDesign } from '../../editor/design'
import { useSettled } from '../../editor/useSettled'
import { Control } from '../../panel/Control'
import { withMember } from '../../panel/controlProps'
import { processTexts } from '../texts'
import { choicesOf, textIn } from '../words'
import { STAFF, useStaff } from './staff'
import { useCatalogue } from './catalogue'
import { Row } from './Row'

/** What the rules find today: an answer of POST /v2/workflow/process/people, one for each. */
interface People {
  /** It follows from the application: nobody can be told before there is one. */
  depends: boolean
  people: readonly { id: string; name: string }[]
}

type Rule = Assignee['rule']
const RULES: readonly Rule[] = [
  ...(['staff', 'role', 'deptLeader', 'leaderOf', 'formField', 'applicant'] as const),
  ...(['previousHandler', 'pickByStarter', 'pickByPrevious', 'dutyRoster', 'expression'] as const),
]
/** Rules whose people are known without an application. */
const KNOWN: ReadonlySet<Rule> = new Set(['staff', 'role', 'dutyRoster', 'deptLeader', 'applicant'])
const MOST_NAMED = 6
const DIMENSIONS = ['dept', 'product', 'entity', 'country'] as const

const beginning = (rule: Rule): Assignee => (rule === 'deptLeader' || rule === 'leaderOf' ? { rule, level: 1 } : { rule })

interface Props {
  label: string
  /** Address of the list in the document. */
  at: string
  value: readonly Assignee[]
  onChange(value: Assignee[]): void
}

/** Who gets a task: rules one after the other, each with what it needs and whom it finds today. */
export const Assignees = ({ label, at, value, onChange }: Props) => {
  const { locale } = useHost()
  const texts = processTexts[locale]
  const settled = useSettled(value, true)
  const asks = settled.some(({ rule }) => KNOWN.has(rule))
  const { data } = useCall<readonly People[]>(
    asks ? { method: 'POST', path: '/v2/workflow/process/people', body: { assignees: settled } } : null,
  )
  return (
    <Row label={label} group>
      {() => (
        <div className="sb-design-rows">
          {value.map((assignee, index) => (
            <AssigneeRow
              key={index}
              at={`${at}/${index}`}
              value={assignee}
              people={settled === value ? data?.[index] : undefined}
              onChange={(next) => onChange(next ? value.with(index, next) : value.filter((_, position) => position !== index))}
            />
          ))}
          <Button size="small" onClick={() => onChange([...value, beginning('role')])}>
            {texts.addAssignee}
          </Button>
        </div>
      )}
    </Row>
  )
}

interface RowProps {
  at: string
  value: Assignee
  people: People | undefined
  onChange(value: Assignee | undefined): void
}

const AssigneeRow = ({ at, value, people, onChange }: RowProps) => {
  const host = useHost()
  const { locale } = host
  const texts = processTexts[locale]
  const catalogue = useCatalogue()
  const { labels, language } = useDesign()
  const { names, learn } = useStaff()
  const [scoped, setScoped] = useState(value.scope !== undefined)
  const change = (name: keyof Assignee, next: unknown): void =>
    onChange(withMember({ ...value }, name, next) as unknown as Assignee)
  const fields = labels.fieldsAt('')
  const options = (fits: (ref: string | undefined) => boolean) =>
    fields
      .filter(({ field }) => fits(field['x-ref']))
      .map(({ name, label }) => ({ value: name, label: `${label[locale]} · ${name}` }))
  const persons = options((ref) => ref === 'sys.staff')
  const word = language.definition('Assignee')
  const expression = (name: 'until' | 'value') => (
    <Control
      at={`${at}/${name}`}
      name={name === 'until' ? 'when' : 'value'}
      word={{ ...language.resolve(word.properties?.[name] ?? {}), description: '' }}
      value={value[name]}
      onChange={(next) => change(name, next)}
    />
  )
  const picked = (placeholder?: string) => (
    <RemoteSelect
      className="sb-design-wide sb-process-people"
      host={host}
      path={STAFF}
      multiple
      aria-label={texts.people}
      {...(placeholder === undefined ? {} : { placeholder })}
      value={value.staff ?? []}
      titleOf={(id) => names.get(id)}
      onChange={(ids, titles) => {
        learn(titles)
        change('staff', ids.length === 0 ? undefined : ids)
      }}
    />
  )
  const level = (
    <InputNumber
      size="small"
      min={1}
      max={10}
      precision={0}
      aria-label={texts.level}
      addonBefore={texts.level}
      value={value.level ?? 1}
      onChange={(next) => change('level', next ?? undefined)}
    />
  )
  const personField = (
    <SearchSelect<string | undefined>
      size="small"
      className="sb-design-wide"
      aria-label={texts.field}
      placeholder={texts.field}
      value={value.field}
      options={persons}
      onChange={(next) => change('field', next ?? undefined)}
    />
  )
  return (
    <div className="sb-design-row sb-process-rule" role="group" aria-label={texts.addAssignee}>
      <div className="sb-design-compared">
        <Select<Rule>
          size="small"
          aria-label={texts.addAssignee}
          value={value.rule}
          options={choicesOf(catalogue, 'assigneeRule', locale, RULES) as { value: Rule; label: string }[]}
          onChange={(rule) => onChange(beginning(rule))}
        />
        <Button
          size="small"
          type="text"
          icon={<CloseOutlined />}
          aria-label={texts.remove}
          title={texts.remove}
          onClick={() => onChange(undefined)}
        />
      </div>
      {value.rule === 'staff' && picked()}
      {(value.rule === 'pickByStarter' || value.rule === 'pickByPrevious') && picked(texts.among)}
      {(value.rule === 'role' || value.rule === 'dutyRoster') && (
        <>
          <SearchSelect<string | undefined>
            size="small"
            className="sb-design-wide"
            aria-label={texts.role}
            placeholder={texts.role}
            value={value.role}
            options={catalogue.roles.map(({ code, name }) => ({ value: code, label: textIn(name, locale), words: [code] }))}
            onChange={(next) => change('role', next ?? undefined)}
          />
          {value.rule === 'role' && !scoped && (
            <Button size="small" type="link" className="sb-process-link" onClick={() => setScoped(true)}>
              {texts.scope}
            </Button>
          )}
          {value.rule === 'role' && scoped && (
            <>
              {DIMENSIONS.map((dimension) => (
                <SearchSelect<string | undefined>
                  key={dimension}
                  size="small"
                  allowClear
                  className="sb-design-wide"
                  aria-label={`${texts.scope}: ${texts.scopeDimensions[dimension]}`}
                  placeholder={texts.scopeDimensions[dimension]}
                  value={value.scope?.[dimension]}
                  options={fields.map(({ name, label }) => ({ value: name, label: `${label[locale]} · ${name}` }))}
                  onChange={(next) => {
                    const scope = withMember({ ...value.scope }, dimension, next ?? undefined)
                    change('scope', Object.keys(scope).length === 0 ? undefined : scope)
                  }}
                />
              ))}
              <small className="sb-design-help">{texts.scopeHelp}</small>
            </>
          )}
        </>
      )}
      {value.rule === 'deptLeader' && (
        <>
          <Space size={8} wrap>
            {level}
            <Select
              size="small"
              aria-label={texts.chain}
              popupMatchSelectWidth={false}
              value={value.chain === true}
              options={[
                { value: false, label: texts.levelOf(value.level ?? 1) },
                { value: true, label: texts.chain },
              ]}
              onChange={(chain) => change('chain', chain ? true : undefined)}
            />
          </Space>
          {value.chain && (
            <>
              <small className="sb-design-help">{texts.until}</small>
              {expression('until')}
            </>
          )}
        </>
      )}
      {value.rule === 'leaderOf' && (
        <>
          {personField}
          {level}
        </>
      )}
      {value.rule === 'formField' && personField}
      {value.rule === 'expression' && expression('value')}
      <small className="sb-design-help" role="status">
        {KNOWN.has(value.rule) ? foundText(people, texts) : texts.dependsOn}
      </small>
    </div>
  )
}

const foundText = (found: People | undefined, texts: (typeof processTexts)['zh']): string => {
  if (!found) return ''
  if (found.depends) return texts.dependsOn
  const names = found.people.slice(0, MOST_NAMED).map(({ name }) => name)
  const list = names.join(', ') + (found.people.length > MOST_NAMED ? ' …' : '')
  return found.people.length === 0 ? texts.nobodyNow : `${texts.now(found.people.length)} (${list})`
}
