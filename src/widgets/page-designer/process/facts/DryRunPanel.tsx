import { Alert, Button, Segmented, Steps, Tag } from 'antd'
import { useMemo, useState } from 'react'
import { RemoteSelect } from '../../../../runtime/choice/SearchSelect'
import { isAborted, toFailure } from '../../../../headless/failure'
import { useHost } from '../../../../runtime/hostContext'
import type { Branch, Node, ProcessDocument } from '../../../../schema/generated/process'
import { parseExpression, rootsOf } from '../../../../schema/expression'
import { entityPath } from '../../../../schema/entity/fields'
import { fieldsOf } from '../../../../schema/process'
import { useDesign } from '../../editor/design'
import { filterBy } from '../../language/values'
import { ChosenValue } from '../../panel/ValueControl'
import { ValueBox } from '../../panel/JsonValue'
import { withMember } from '../../panel/controlProps'
import type { Trail } from '../canvas/context'
import { Row } from '../panel/Row'
import { STAFF, useStaff } from '../panel/staff'
import { processTexts } from '../texts'
import { branchKey, everyNode } from '../tree/tree'
import type { DryRun, PathNode } from '../types'
import { textIn } from '../words'

interface Props {
  document: ProcessDocument
  onResult(trail: ReadonlyMap<string, Trail> | null): void
}

/** The fields that decide which way it goes: read by conditions, amounts and assignees. */
export const decidingFields = (document: ProcessDocument): string[] => {
  const texts: string[] = [document.amount, document.currency].filter((text) => text !== undefined)
  const fields = new Set<string>()
  for (const { node } of everyNode(document.nodes)) {
    for (const { when } of node.branches ?? []) if (when) texts.push(when)
    if (typeof node.limitHours === 'string') texts.push(node.limitHours)
    for (const { field, value, until, scope } of node.assignees ?? []) {
      for (const path of [field, ...Object.values(scope ?? {})]) if (path) fields.add(path.split('.')[0] ?? path)
      for (const text of [value, until]) if (text) texts.push(text)
    }
  }
  const read = new Set<string>()
  while (texts.length > 0) {
    const text = texts.pop() ?? ''
    if (read.has(text)) continue
    read.add(text)
    const parsed = parseExpression(text)
    if (!parsed.ok) continue
    for (const root of rootsOf(parsed.expression)) {
      // what follows other fields is decided by those
      const value = document.form.fields[root]?.value
      if (value === undefined) fields.add(root)
      else texts.push(value)
    }
  }
  return Object.keys(document.form.fields).filter((name) => fields.has(name))
}

/** What a path says of every step and branch that it meets. */
export const trailOf = (path: readonly PathNode[], locale: 'zh' | 'en'): Map<string, Trail> => {
  const trail = new Map<string, Trail>()
  const walk = (nodes: readonly PathNode[], on: boolean): void => {
    for (const node of nodes) {
      const people = node.assignees?.map(({ name }) => name).join(', ')
      trail.set(node.id, {
        taken: on && node.state !== 'skipped',
        ...(people ? { people } : {}),
        ...(node.why ? { why: textIn(node.why, locale) } : {}),
      })
      for (const branch of node.branches ?? []) {
        trail.set(branchKey(node.id, branch.id), {
          taken: on && branch.taken,
          ...(branch.why ? { why: textIn(branch.why, locale) } : {}),
        })
        walk(branch.nodes, on && branch.taken)
      }
      if (node.branches) trail.set(`${node.id}/`, { taken: on })
    }
  }
  walk(path, true)
  return trail
}

/** Tries the flow as it is drawn, on sample values or on a past application: the way is marked in the picture, the approvers are named. */
export const DryRunPanel = ({ document, onResult }: Props) => {
  const host = useHost()
  const { locale } = host
  const texts = processTexts[locale]
  const { labels, dictionaries } = useDesign()
  const { names, learn } = useStaff()
  const [source, setSource] = useState<'sample' | 'past'>('sample')
  const [values, setValues] = useState<Readonly<Record<string, unknown>>>({})
  const [instance, setInstance] = useState<readonly string[]>([])
  const [titles, setTitles] = useState<ReadonlyMap<string, string>>(new Map())
  const [applicant, setApplicant] = useState<readonly string[]>([])
  const [result, setResult] = useState<DryRun | null>(null)
  const [failed, setFailed] = useState<string | null>(null)
  const [running, setRunning] = useState(false)
  const asked = useMemo(() => decidingFields(document), [document])
  const all = useMemo(() => new Map(fieldsOf(document).map((field) => [field.key, field])), [document])
  const instances = labels.entity('wf.instance')

  const run = async (): Promise<void> => {
    setRunning(true)
    setFailed(null)
    try {
      const answer = await host.request<DryRun>({
        method: 'POST',
        path: '/v2/workflow/process/dryRun',
        body: {
          document,
          ...(source === 'past' ? { instanceId: instance[0] } : { values }),
          ...(applicant[0] === undefined ? {} : { applicantId: applicant[0] }),
        },
      })
      setResult(answer)
      onResult(trailOf(answer.path, locale))
    } catch (error) {
      if (isAborted(error)) return
      setResult(null)
      onResult(null)
      setFailed(texts.runFailed(toFailure(error, locale).message))
    } finally {
      setRunning(false)
    }
  }
  return (
    <section className="sb-process-run" aria-label={texts.dryRun}>
      <p className="sb-design-lead">{texts.dryRunHelp}</p>
      <Row label={texts.dryRunBy}>
        {(id) => (
          <RemoteSelect
            id={id}
            host={host}
            path={STAFF}
            allowClear
            className="sb-design-wide"
            placeholder={texts.dryRunMyself}
            value={applicant}
            titleOf={(one) => names.get(one)}
            onChange={(ids, found) => {
              learn(found)
              setApplicant(ids)
            }}
          />
        )}
      </Row>
      {instances && (
        <Segmented
          size="small"
          block
          value={source}
          options={[
            { value: 'sample', label: texts.dryRunSample },
            { value: 'past', label: texts.dryRunPast },
          ]}
          onChange={setSource}
        />
      )}
      {source === 'past' && instances ? (
        <RemoteSelect
          host={host}
          path={entityPath(instances)}
          className="sb-design-wide"
          aria-label={texts.dryRunPast}
          value={instance}
          titleOf={(one) => titles.get(one)}
          onChange={(ids, found) => {
            setTitles(found)
            setInstance(ids)
          }}
        />
      ) : asked.length === 0 ? (
        <small className="sb-design-help">{texts.runNoFields}</small>
      ) : (
        asked.map((name) => {
          const field = all.get(name)
          const filter = filterBy(document.name, name, { entities: labels.entities, dictionaries, locale })
          const change = (next: unknown): void => setValues((known) => withMember(known, name, next))
          return (
            <Row key={name} label={textIn(field?.label, locale) || name} group>
              {(id) =>
                filter ? (
                  <ChosenValue
                    id={id}
                    filter={{ ...filter, operator: 'eq' }}
                    relative={false}
                    value={values[name]}
                    onChange={change}
                  />
                ) : (
                  <ValueBox id={id} label={textIn(field?.label, locale) || name} value={values[name]} onChange={change} />
                )
              }
            </Row>
          )
        })
      )}
      <div className="sb-design-row-actions">
        <Button type="primary" loading={running} disabled={source === 'past' && instance.length === 0} onClick={() => void run()}>
          {texts.run}
        </Button>
        {result && (
          <Button
            onClick={() => {
              setResult(null)
              onResult(null)
            }}
          >
            {texts.closeRun}
          </Button>
        )}
      </div>
      {failed && <Alert type="error" showIcon message={failed} />}
      {result && result.errors.length > 0 && (
        <Alert
          type="warning"
          showIcon
          message={texts.runErrors}
          description={
            <ul className="sb-design-differences">
              {result.errors.map(({ field, text }, index) => (
                <li key={index}>
                  {field !== undefined && <Tag>{textIn(all.get(field)?.label, locale) || field}</Tag>}
                  {textIn(text, locale)}
                </li>
              ))}
            </ul>
          }
        />
      )}
      {result && (
        <div role="status" aria-label={texts.runPath}>
          <Steps
            direction="vertical"
            size="small"
            progressDot
            items={stepsOf(result.path, document.nodes, locale)}
            current={-1}
          />
        </div>
      )}
    </section>
  )
}

/** The steps that are on the way, each with who would get it. */
const stepsOf = (path: readonly PathNode[], nodes: readonly Node[], locale: 'zh' | 'en') => {
  const known = new Map(everyNode(nodes).map(({ node }) => [node.id, node]))
  const texts = processTexts[locale]
  const items: { title: string; description?: string }[] = []
  const walk = (steps: readonly PathNode[]): void => {
    for (const step of steps) {
      const taken = step.branches?.filter((branch) => branch.taken) ?? []
      const label = (branch: { id: string; label?: Branch['label'] }): string => textIn(branch.label, locale) || branch.id
      const who = step.assignees?.map(({ name }) => name).join(', ')
      const about = [
        step.state === 'skipped' ? texts.skipped : '',
        who ?? '',
        taken.map((branch) => label(branch) + (branch.why ? ` (${textIn(branch.why, locale)})` : '')).join(', '),
        textIn(step.why, locale),
      ].filter((part) => part !== '')
      items.push({
        title: textIn(step.label, locale) || textIn(known.get(step.id)?.label, locale) || step.id,
        ...(about.length > 0 ? { description: about.join(' · ') } : {}),
      })
      for (const branch of taken) walk(branch.nodes)
    }
  }
  walk(path)
  return items
}
