import { Button, Select } from 'antd'
import { useHost } from '../../../../runtime/hostContext'
import type { ProcessDocument } from '../../../../schema/generated/process'
import { useDesign } from '../../editor/design'
import { Control } from '../../panel/Control'
import { useCatalogue } from '../panel/catalogue'
import { Items } from '../panel/Items'
import { ChoiceRow, FlagRow, LineRow, ManyRow, NumberRow, PeopleRow, Row, TextRow } from '../panel/Row'
import { processTexts } from '../texts'
import { choicesOf, textIn } from '../words'
import { StartScope } from './StartScope'

interface Props {
  document: ProcessDocument
  /** It has never been published: its code and its form can still be chosen. */
  isNew: boolean
  adminIds: readonly string[]
  formId: string | null
  onChange(document: ProcessDocument): void
  onAdmins(ids: string[]): void
  onForm(id: string | null): void
}

export const CODE = /^[a-z][A-Za-z0-9]{0,39}$/
export const PREFIX = /^[A-Z][A-Z0-9]{0,7}$/

/** The address of a form in its designer. */
export const formAddress = (id: string): string => `/setModule/process/formword/design?id=${encodeURIComponent(id)}`

/** What holds for the process as a whole. */
export const Facts = ({ document, isNew, adminIds, formId, onChange, onAdmins, onForm }: Props) => {
  const host = useHost()
  const { locale } = host
  const texts = processTexts[locale]
  const catalogue = useCatalogue()
  const { language, labels } = useDesign()
  const set = <Name extends keyof ProcessDocument>(name: Name, value: ProcessDocument[Name] | undefined): void => {
    const { [name]: _before, ...rest } = document
    onChange((value === undefined ? rest : { ...rest, [name]: value }) as ProcessDocument)
  }
  const fields = labels.fieldsAt('').filter(({ name }) => !name.includes('.'))
  const fieldOptions = fields.map(({ name, label }) => ({ value: name, label: `${label[locale]} · ${name}` }))
  const references = fields.filter(({ field }) => field['x-ref'] !== undefined && field.type !== 'array')
  const control = (name: keyof ProcessDocument & string) => (
    <Control
      at={name}
      name={name}
      word={language.at(name) ?? {}}
      value={document[name]}
      onChange={(next) => set(name, next as ProcessDocument[typeof name])}
    />
  )
  return (
    <div className="sb-process-facts">
      <section aria-label={texts.settings}>
        <TextRow
          label={texts.name}
          value={document.label}
          onChange={(next) => onChange({ ...document, label: next ?? { zh: '', en: '' } })}
        />
        <LineRow
          label={texts.code}
          help={texts.codeHelp}
          mono
          disabled={!isNew}
          wrong={!CODE.test(document.name)}
          value={document.name}
          onChange={(next) => onChange({ ...document, name: next.trim() })}
        />
        <LineRow
          label={texts.prefix}
          help={texts.prefixHelp}
          mono
          wrong={!PREFIX.test(document.prefix)}
          value={document.prefix}
          onChange={(next) => onChange({ ...document, prefix: next.trim().toUpperCase() })}
        />
        <ChoiceRow
          label={texts.group}
          needed
          value={document.group}
          options={choicesOf(catalogue, 'processGroup', locale)}
          onChange={(next) => next && onChange({ ...document, group: next as ProcessDocument['group'] })}
        />
        <TextRow label={texts.description} value={document.description} onChange={(next) => set('description', next)} />
        {control('icon')}
        <Row label={texts.formOf} help={texts.formHelp}>
          {(id) => (
            <div className="sb-design-compared">
              <Select<string>
                id={id}
                size="small"
                disabled={!isNew}
                value={formId ?? ''}
                options={[
                  ...(isNew ? [{ value: '', label: texts.ownForm }] : []),
                  ...catalogue.forms.map((form) => ({ value: form.id, label: `${textIn(form.name, locale)} · ${form.code}` })),
                ]}
                onChange={(next) => onForm(next === '' ? null : next)}
              />
              {formId !== null && (
                <Button size="small" onClick={() => host.navigate(formAddress(formId))}>
                  {texts.openForm}
                </Button>
              )}
            </div>
          )}
        </Row>
        <ChoiceRow
          label={texts.service}
          value={document.service}
          options={choicesOf(catalogue, 'serviceName', locale)}
          onChange={(next) => set('service', next)}
        />
        <NumberRow label={texts.sort} whole value={document.sort} onChange={(next) => set('sort', next)} />
      </section>
      <section aria-label={texts.startScope}>
        <StartScope
          value={document.startScope ?? []}
          onChange={(next) => set('startScope', next.length === 0 ? undefined : next)}
        />
        <PeopleRow label={texts.admins} help={texts.adminsHelp} value={adminIds} onChange={onAdmins} />
        <ChoiceRow
          label={texts.allowWithdraw}
          value={document.allowWithdraw}
          otherwise="beforeFirst"
          options={choicesOf(catalogue, 'withdrawRule', locale, ['never', 'beforeFirst', 'untilEnd'])}
          onChange={(next) => set('allowWithdraw', next as ProcessDocument['allowWithdraw'])}
        />
        <ChoiceRow
          label={texts.dedupe}
          value={document.dedupe}
          otherwise="none"
          options={choicesOf(catalogue, 'dedupeRule', locale, ['none', 'adjacent', 'all'])}
          onChange={(next) => set('dedupe', next as ProcessDocument['dedupe'])}
        />
        <NumberRow
          label={texts.maxReturns}
          help={texts.maxReturnsHelp}
          whole
          min={1}
          max={200}
          value={document.maxReturns}
          onChange={(next) => set('maxReturns', next)}
        />
        <FlagRow
          label={texts.allowUrge}
          value={document.allowUrge ?? true}
          onChange={(next) => set('allowUrge', next ? undefined : false)}
        />
        <FlagRow
          label={texts.allowDelegate}
          value={document.allowDelegate ?? true}
          onChange={(next) => set('allowDelegate', next ? undefined : false)}
        />
      </section>
      <section aria-label={texts.titleTemplate}>
        <TextRow
          label={texts.titleTemplate}
          help={texts.titleHelp}
          value={document.title}
          onChange={(next) => set('title', next)}
        />
        {control('amount')}
        {control('currency')}
        <ManyRow
          label={texts.summary}
          value={document.summary ?? []}
          options={fieldOptions}
          onChange={(next) => set('summary', next.length === 0 ? undefined : next.slice(0, 6))}
        />
        <ChoiceRow
          label={texts.object}
          value={document.object?.field}
          options={references.map(({ name, label }) => ({ value: name, label: label[locale] }))}
          onChange={(next) => set('object', next === undefined ? undefined : { ...document.object, field: next })}
        />
        {document.object && (
          <FlagRow
            label={texts.exclusive}
            value={document.object.exclusive ?? true}
            onChange={(next) =>
              document.object && set('object', next ? { field: document.object.field } : { ...document.object, exclusive: false })
            }
          />
        )}
        {control('decides')}
        <Items
          label={texts.checks}
          at="checks"
          name="checks"
          item={language.definition('Refusal')}
          value={document.checks ?? []}
          onChange={(next) => set('checks', next as ProcessDocument['checks'])}
        />
      </section>
    </div>
  )
}
