import { Collapse } from 'antd'
import type { ReactNode } from 'react'
import { useHost } from '../../../../runtime/hostContext'
import type { Node, ProcessDocument } from '../../../../schema/generated/process'
import type { Problem } from '../../../../schema/problem'
import { useDesign } from '../../editor/design'
import { Control } from '../../panel/Control'
import { KindIcon } from '../canvas/kindIcon'
import { processTexts } from '../texts'
import { addressOfNode } from '../tree/tree'
import { choicesOf, nodeName, valueName } from '../words'
import { Assignees } from './Assignees'
import { useCatalogue } from './catalogue'
import { FieldRights } from './FieldRights'
import { Items } from './Items'
import { ProblemNotes } from './ProblemNotes'
import { ChoiceRow, FlagRow, ManyRow, NumberOrExpressionRow, NumberRow, PeopleRow, TextRow } from './Row'

interface Props {
  document: ProcessDocument
  node: Node
  problems: readonly Problem[]
  onChange(node: Node): void
}

const AGREE = ['agree', 'agreeAddBefore', 'agreeAddAfter', 'agreeTransmit', 'agreeSign'] as const
const REJECT = ['rejectEnd', 'returnStart', 'returnPrevious', 'returnNode', 'returnBackToMe'] as const
const HANDLER_REJECT = ['returnStart', 'returnPrevious', 'returnNode', 'returnBackToMe'] as const

/** A step with one of its members set, or without it. */
const withPart = <Name extends keyof Node>(node: Node, name: Name, value: Node[Name] | undefined): Node => {
  const { [name]: _gone, ...rest } = node
  return (value === undefined ? rest : { ...rest, [name]: value }) as Node
}

/** Everything that can be said about a step. */
export const NodePanel = ({ document, node, problems, onChange }: Props) => {
  const { locale } = useHost()
  const texts = processTexts[locale]
  const catalogue = useCatalogue()
  const { language } = useDesign()
  const at = addressOfNode(document.nodes, node.id)
  const set = <Name extends keyof Node>(name: Name, value: Node[Name] | undefined): void => onChange(withPart(node, name, value))
  const dictionary = (name: string, codes?: readonly string[]) => choicesOf(catalogue, name, locale, codes)
  const word = language.definition('Node')
  const control = (name: keyof Node & string, as: string = name) => (
    <Control
      at={`${at}/${name}`}
      name={as}
      word={language.resolve(word.properties?.[name] ?? {})}
      value={node[name]}
      onChange={(next) => onChange(withPart(node, name, next as Node[typeof name]))}
    />
  )
  const rules = word.properties?.rules?.items
  const people = node.kind === 'approve' || node.kind === 'handle'
  const fold = (key: string, label: string, children: ReactNode) => ({ key, label, children, forceRender: false })

  return (
    <section className="sb-flow-panel" aria-label={nodeName(node, { locale, catalogue })}>
      <header>
        <KindIcon node={node} />
        <h3>{valueName(catalogue, 'nodeKind', node.kind, locale)}</h3>
        <code>{node.id}</code>
      </header>
      <ProblemNotes problems={problems} />
      <TextRow label={texts.name} value={node.label} onChange={(label) => set('label', label)} />
      {people && (
        <Assignees
          label={node.kind === 'approve' ? texts.assignees : texts.handlers}
          at={`${at}/assignees`}
          value={node.assignees ?? []}
          onChange={(next) => set('assignees', next.length === 0 ? undefined : next)}
        />
      )}
      {node.kind === 'cc' && (
        <Assignees
          label={texts.receivers}
          at={`${at}/assignees`}
          value={node.assignees ?? []}
          onChange={(next) => set('assignees', next.length === 0 ? undefined : next)}
        />
      )}
      {people && (
        <>
          <ChoiceRow
            label={texts.multiMode}
            value={node.multiMode}
            otherwise="any"
            options={dictionary('multiMode')}
            onChange={(next) => set('multiMode', next as Node['multiMode'])}
          />
          {node.multiMode === 'vote' && (
            <NumberRow
              label={texts.percent}
              min={1}
              max={100}
              whole
              value={node.percent}
              onChange={(next) => set('percent', next)}
            />
          )}
          <NumberOrExpressionRow
            label={texts.limitHours}
            help={texts.limitHelp}
            value={node.limitHours}
            onChange={(next) => set('limitHours', next)}
          />
          <Collapse
            ghost
            size="small"
            className="sb-process-folds"
            items={[
              fold(
                'nobody',
                texts.emptyRule,
                <>
                  <ChoiceRow
                    label={texts.emptyRule}
                    value={node.emptyRule}
                    otherwise="toAdmin"
                    options={dictionary('emptyRule')}
                    onChange={(next) => set('emptyRule', next as Node['emptyRule'])}
                  />
                  {node.emptyRule === 'toStaff' && (
                    <PeopleRow
                      label={texts.emptyStaff}
                      value={node.emptyStaff ?? []}
                      onChange={(next) => set('emptyStaff', next.length === 0 ? undefined : next)}
                    />
                  )}
                  <ChoiceRow
                    label={texts.sameAsStarter}
                    value={node.sameAsStarter}
                    otherwise="toLeader"
                    options={dictionary('sameRule', ['toLeader', 'skip', 'keep'])}
                    onChange={(next) => set('sameAsStarter', next as Node['sameAsStarter'])}
                  />
                  <ChoiceRow
                    label={texts.sameAsPrevious}
                    value={node.sameAsPrevious}
                    otherwise="keep"
                    options={dictionary('sameRule', ['autoAgree', 'keep'])}
                    onChange={(next) => set('sameAsPrevious', next as Node['sameAsPrevious'])}
                  />
                </>,
              ),
              fold(
                'time',
                texts.time,
                <>
                  <FlagRow
                    label={texts.workCalendar}
                    value={node.workCalendar ?? true}
                    onChange={(next) => set('workCalendar', next ? undefined : false)}
                  />
                  <ChoiceRow
                    label={texts.onTimeout}
                    value={node.onTimeout}
                    otherwise="remind"
                    options={dictionary('timeoutAction')}
                    onChange={(next) => set('onTimeout', next as Node['onTimeout'])}
                  />
                  <ManyRow
                    label={texts.remindBefore}
                    typed
                    placeholder="50, 100"
                    value={(node.remindBefore ?? []).map(String)}
                    options={[50, 80, 100, 150].map((one) => ({ value: String(one), label: `${one} %` }))}
                    onChange={(next) => {
                      const numbers = next.map(Number).filter((one) => Number.isInteger(one) && one > 0 && one <= 400)
                      set('remindBefore', numbers.length === 0 ? undefined : numbers.sort((a, b) => a - b))
                    }}
                  />
                </>,
              ),
              fold(
                'decision',
                texts.decision,
                <>
                  {node.kind === 'approve' && (
                    <ManyRow
                      label={texts.agreeActions}
                      value={node.agreeActions ?? []}
                      options={dictionary('agreeAction', AGREE)}
                      onChange={(next) => set('agreeActions', next.length === 0 ? undefined : (next as Node['agreeActions']))}
                    />
                  )}
                  <ManyRow
                    label={texts.rejectActions}
                    placeholder={dictionary(
                      'rejectAction',
                      node.kind === 'approve' ? ['rejectEnd', 'returnStart'] : ['returnStart'],
                    )
                      .map(({ label }) => label)
                      .join(', ')}
                    value={node.rejectActions ?? []}
                    options={dictionary('rejectAction', node.kind === 'approve' ? REJECT : HANDLER_REJECT)}
                    onChange={(next) => set('rejectActions', next.length === 0 ? undefined : (next as Node['rejectActions']))}
                  />
                  <ChoiceRow
                    label={texts.needComment}
                    value={node.needComment}
                    otherwise="onReject"
                    options={dictionary('commentRule')}
                    onChange={(next) => set('needComment', next as Node['needComment'])}
                  />
                  <FlagRow
                    label={texts.transmit}
                    value={node.transmit ?? true}
                    onChange={(next) => set('transmit', next ? undefined : false)}
                  />
                  <FlagRow
                    label={texts.batch}
                    value={node.batch ?? true}
                    onChange={(next) => set('batch', next ? undefined : false)}
                  />
                  <FlagRow
                    label={texts.needAttachment}
                    value={node.needAttachment ?? false}
                    onChange={(next) => set('needAttachment', next ? true : undefined)}
                  />
                  <FlagRow
                    label={texts.needSign}
                    value={node.needSign ?? false}
                    onChange={(next) => set('needSign', next ? true : undefined)}
                  />
                </>,
              ),
              fold(
                'rights',
                texts.rightsTitle,
                <FieldRights document={document} node={node} onChange={(rights) => set('fieldRights', rights)} />,
              ),
              fold(
                'cc',
                texts.ccAfter,
                <Assignees
                  label={texts.ccAfter}
                  at={`${at}/cc`}
                  value={node.cc ?? []}
                  onChange={(next) => set('cc', next.length === 0 ? undefined : next)}
                />,
              ),
              fold(
                'rules',
                texts.rules,
                <Items
                  label={texts.rules}
                  at={`${at}/rules`}
                  name="rules"
                  item={rules ? language.resolve(rules) : {}}
                  value={node.rules ?? []}
                  onChange={(next) => set('rules', next as Node['rules'])}
                />,
              ),
            ]}
          />
        </>
      )}
      {node.kind === 'start' && (
        <>
          <FieldRights document={document} node={node} onChange={(rights) => set('fieldRights', rights)} />
          <Assignees
            label={texts.ccAfter}
            at={`${at}/cc`}
            value={node.cc ?? []}
            onChange={(next) => set('cc', next.length === 0 ? undefined : next)}
          />
        </>
      )}
      {node.kind === 'service' && (
        <>
          <ChoiceRow
            label={texts.phase}
            value={node.phase}
            otherwise="effect"
            options={(['effect', 'check'] as const).map((value) => ({ value, label: texts.phases[value] }))}
            onChange={(next) => set('phase', next as Node['phase'])}
          />
          {node.phase === 'check' ? (
            <Items
              label={texts.refuse}
              at={`${at}/refuse`}
              name="refuse"
              item={language.definition('Refusal')}
              value={node.refuse ?? []}
              onChange={(next) => set('refuse', next as Node['refuse'])}
            />
          ) : (
            <>
              <Items
                label={texts.nodeEffects}
                help={texts.effectsHelp}
                at={`${at}/effects`}
                name="effects"
                item={language.definition('Effect')}
                value={node.effects ?? []}
                onChange={(next) => set('effects', next as Node['effects'])}
              />
              <ChoiceRow
                label={texts.onError}
                value={node.onError}
                otherwise="toAdmin"
                options={dictionary('effectError')}
                onChange={(next) => set('onError', next as Node['onError'])}
              />
              <FlagRow
                label={texts.again}
                value={node.again ?? false}
                onChange={(next) => set('again', next ? true : undefined)}
              />
            </>
          )}
        </>
      )}
      {node.kind === 'notify' && (
        <Items
          label={texts.nodeEffects}
          help={texts.effectsHelp}
          at={`${at}/effects`}
          name="effects"
          item={language.definition('Effect')}
          value={node.effects ?? []}
          onChange={(next) => set('effects', next as Node['effects'])}
        />
      )}
      {node.kind === 'delay' && (
        <>
          <NumberRow label={texts.delayHours} min={0.5} max={9000} value={node.hours} onChange={(next) => set('hours', next)} />
          {control('until')}
        </>
      )}
      {node.kind === 'subProcess' && (
        <>
          <ChoiceRow
            label={texts.process}
            value={node.process}
            options={catalogue.processes
              .filter(({ code }) => code !== document.name)
              .map(({ code, name }) => ({ value: code, label: `${name[locale]} · ${code}` }))}
            onChange={(next) => set('process', next)}
          />
          {control('values')}
          <FlagRow label={texts.wait} value={node.wait ?? true} onChange={(next) => set('wait', next ? undefined : false)} />
        </>
      )}
      {node.kind === 'end' && (
        <ChoiceRow
          label={texts.result}
          value={node.result}
          otherwise="agreed"
          options={(['agreed', 'rejected'] as const).map((value) => ({ value, label: texts.results[value] }))}
          onChange={(next) => set('result', next as Node['result'])}
        />
      )}
    </section>
  )
}
