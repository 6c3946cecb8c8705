import { Button } from 'antd'
import { useMemo, useState, type ReactNode } from 'react'
import { useHost } from '../../../../runtime/hostContext'
import type { Form, ProcessDocument } from '../../../../schema/generated/process'
import type { Problem } from '../../../../schema/problem'
import { useDesign } from '../../editor/design'
import { Control } from '../../panel/Control'
import { Items } from '../panel/Items'
import { TextRow } from '../panel/Row'
import { processTexts } from '../texts'
import { AddField } from './AddField'
import { FIELD_TYPES, fieldAt, newField, withDuplicate, withField, withGroup, withoutField, withoutGroup } from './edit'
import { FieldList } from './FieldList'
import { FieldPanel } from './FieldPanel'
import { FormPreview } from './FormPreview'

interface Props {
  /** The process, or a form around which nothing stands but start and end. */
  process: ProcessDocument
  /** The process by whose steps the form is looked at, where that is another one. */
  seenBy?: ProcessDocument
  problems?: readonly Problem[]
  readOnly?: boolean
  onChange?: (form: Form) => void
  /** Leads to where the form is kept. */
  onOpen?: () => void
  /** What else can be done with the fields. */
  more?: ReactNode
}

const NONE: readonly Problem[] = []
const RULES = '#rules'

/** A form: its fields in their order, the settings of the chosen one, and what people get to see. */
export const FormEditor = ({ process, seenBy, problems = NONE, readOnly = false, onChange, onOpen, more }: Props) => {
  const { locale } = useHost()
  const texts = processTexts[locale]
  const { language } = useDesign()
  const { form } = process
  const [chosen, setChosen] = useState<string | null>(null)
  const change = readOnly ? undefined : onChange
  const faulty = useMemo(
    () => new Set(problems.flatMap(({ at }) => /^\/form\/fields\/([^/]+)/.exec(at)?.slice(1) ?? [])),
    [problems],
  )
  const group = chosen?.startsWith('#') === true ? form.groups?.find(({ id }) => `#${id}` === chosen) : undefined
  const path = chosen !== null && fieldAt(form, chosen) ? chosen : null
  const inGroup =
    group?.id ??
    (path === null ? undefined : form.groups?.find(({ fields }) => fields.includes(path))?.id) ??
    form.groups?.at(-1)?.id ??
    null
  const formWord = language.definition('Form')
  const rules = formWord.properties?.rules?.items
  return (
    <div className="sb-fields-columns">
      <div className="sb-fields-side">
        <FieldList form={form} chosen={chosen} faulty={faulty} onChoose={setChosen} {...(change ? { onChange: change } : {})} />
        {change ? (
          <>
            <AddField
              taken={Object.keys(form.fields)}
              types={FIELD_TYPES}
              onAdd={(key, type, label) => {
                change(withField(form, key, newField(type, label), inGroup))
                setChosen(key)
              }}
            />
            <div className="sb-design-row-actions">
              <Button
                size="small"
                onClick={() => {
                  const made = withGroup(form, { zh: '新的分组', en: 'New group' })
                  change(made.form)
                  setChosen(`#${made.id}`)
                }}
              >
                {texts.addGroup}
              </Button>
              <Button size="small" type={chosen === RULES ? 'primary' : 'default'} onClick={() => setChosen(RULES)}>
                {texts.checks}
              </Button>
            </div>
            {more}
          </>
        ) : (
          onOpen && (
            <>
              <small className="sb-design-help">{texts.formHelp}</small>
              <Button size="small" onClick={onOpen}>
                {texts.openForm}
              </Button>
            </>
          )
        )}
      </div>
      {change && chosen !== null && (
        <aside className="sb-process-side">
          {path !== null && (
            <FieldPanel
              key={path}
              form={form}
              path={path}
              problems={problems.filter(({ at }) => at.startsWith(`/form/fields/${path.split('.')[0] ?? ''}`))}
              onChange={change}
              onChoose={setChosen}
              onRemove={() => {
                change(withoutField(form, path))
                setChosen(null)
              }}
              onDuplicate={() => {
                const made = withDuplicate(form, path)
                change(made.form)
                setChosen(made.key)
              }}
            />
          )}
          {group && (
            <section className="sb-flow-panel" aria-label={texts.group2}>
              <header>
                <h3>{texts.group2}</h3>
                <code>{group.id}</code>
              </header>
              <TextRow
                label={texts.groupTitle}
                value={group.title}
                onChange={(title) =>
                  change({
                    ...form,
                    groups: (form.groups ?? []).map((one) =>
                      one === group ? { ...one, title: title ?? { zh: '', en: '' } } : one,
                    ),
                  })
                }
              />
              <Control
                at={`form/groups/${form.groups?.indexOf(group) ?? 0}/when`}
                name="when"
                word={language.definition('Expression')}
                value={group.when}
                onChange={(when) => {
                  const { when: _before, ...rest } = group
                  change({
                    ...form,
                    groups: (form.groups ?? []).map((one) =>
                      one === group ? (typeof when === 'string' ? { ...rest, when } : rest) : one,
                    ),
                  })
                }}
              />
              <Button
                size="small"
                danger
                onClick={() => {
                  change(withoutGroup(form, group.id))
                  setChosen(null)
                }}
              >
                {texts.remove}
              </Button>
            </section>
          )}
          {chosen === RULES && (
            <section className="sb-flow-panel" aria-label={texts.checks}>
              <Items
                label={texts.checks}
                at="form/rules"
                name="rules"
                item={rules ? language.resolve(rules) : {}}
                value={form.rules ?? []}
                onChange={(next) => {
                  const { rules: _before, ...rest } = form
                  change(next ? { ...rest, rules: next as NonNullable<Form['rules']> } : rest)
                }}
              />
              <Control
                at="form/lookups"
                name="lookups"
                word={language.resolve(formWord.properties?.lookups ?? {})}
                value={form.lookups}
                onChange={(next) => {
                  const { lookups: _before, ...rest } = form
                  change(next === undefined ? rest : { ...rest, lookups: next as NonNullable<Form['lookups']> })
                }}
              />
            </section>
          )}
        </aside>
      )}
      <FormPreview process={seenBy ? { ...seenBy, form } : process} />
    </div>
  )
}
