import { AutoComplete, Button, Collapse } from 'antd'
import { useHost } from '../../../../runtime/hostContext'
import type { Form, FormField } from '../../../../schema/generated/process'
import type { Problem } from '../../../../schema/problem'
import type { FieldType } from '../../../../schema/process'
import { useDesign } from '../../editor/design'
import { Control } from '../../panel/Control'
import { withMember } from '../../panel/controlProps'
import { processTexts } from '../texts'
import { choicesOf, textIn, valueName } from '../words'
import { useCatalogue } from '../panel/catalogue'
import { ProblemNotes } from '../panel/ProblemNotes'
import { ChoiceRow, FlagRow, Row, TextRow } from '../panel/Row'
import { AddField } from './AddField'
import { addressOfField, asType, FIELD_TYPES, fieldAt, newField, typesOf, withCells, withFieldAt, withRequired } from './edit'

interface Props {
  form: Form
  /** The field, or `rows.cell`. */
  path: string
  problems: readonly Problem[]
  onChange(form: Form): void
  onChoose(path: string): void
  onRemove(): void
  onDuplicate?: () => void
}

/** Words that have a place of their own here, or that a form has no use for. */
const SHOWN: ReadonlySet<string> = new Set([
  ...['type', 'format', 'items', 'x-label', 'x-help', 'x-dictionary', 'x-ref', 'x-refFilter', 'x-money'],
  ...['visible', 'requiredIf', 'value', 'suggest', 'rows', 'branchable'],
])
const CELL_TYPES = FIELD_TYPES.filter((type) => type !== 'rows' && type !== 'files' && type !== 'file' && type !== 'json')

/** Everything that can be said about a field of a form, conditions without writing them. */
export const FieldPanel = ({ form, path, problems, onChange, onChoose, onRemove, onDuplicate }: Props) => {
  const { locale } = useHost()
  const texts = processTexts[locale]
  const catalogue = useCatalogue()
  const { language } = useDesign()
  const field = fieldAt(form, path)
  if (!field) return null
  const [name = '', cell] = path.split('.')
  const at = addressOfField(path)
  const type = typesOf(form).get(path) ?? 'string'
  const put = (next: FormField): void => onChange(withFieldAt(form, path, next))
  const set = (word: string, value: unknown): void =>
    put(withMember({ ...field } as Readonly<Record<string, unknown>>, word, value) as unknown as FormField)
  const word = language.definition('FormField')
  const control = (member: string) => {
    const meta = word.properties?.[member]
    return meta ? (
      <Control
        key={member}
        at={`${at}/${member}`}
        name={member}
        word={language.resolve(meta)}
        value={(field as unknown as Readonly<Record<string, unknown>>)[member]}
        onChange={(next) => set(member, next)}
      />
    ) : null
  }
  const rows = field.rows
  const around = cell === undefined ? form : form.fields[name]?.rows
  const required = around?.required?.includes(cell ?? name) === true
  const setRequired = (needed: boolean): void => {
    const outer = form.fields[name]
    if (cell === undefined) onChange(withRequired(form, name, needed))
    else if (outer?.rows) onChange(withFieldAt(form, name, { ...outer, rows: withRequired(outer.rows, cell, needed) }))
  }
  const cells = Object.keys(rows?.fields ?? {})
  const moveCell = (from: number, to: number): void => {
    const one = cells[from]
    if (!rows || one === undefined || to < 0 || to >= cells.length) return
    put({ ...field, rows: { ...rows, fields: withCells(rows.fields, cells.toSpliced(from, 1).toSpliced(to, 0, one)) } })
  }
  const moneyFields = Object.entries(form.fields).filter(
    ([, one]) => one['x-dictionary'] === 'currency' || one.format === 'currency',
  )
  const further = language.words(word).filter(([member]) => !SHOWN.has(member))
  return (
    <section className="sb-flow-panel" aria-label={textIn(field['x-label'], locale) || path}>
      <header>
        <h3>{textIn(field['x-label'], locale) || path}</h3>
        <code>{path}</code>
      </header>
      <ProblemNotes problems={problems} />
      <TextRow label={texts.name} value={field['x-label']} onChange={(next) => set('x-label', next ?? { zh: '', en: '' })} />
      <ChoiceRow
        label={texts.fieldKind}
        needed
        value={type}
        options={choicesOf(catalogue, 'fieldType', locale, cell === undefined ? FIELD_TYPES : CELL_TYPES)}
        onChange={(next) => next && next !== type && put(asType(field, next as FieldType))}
      />
      {field.value === undefined && <FlagRow label={texts.required} value={required} onChange={setRequired} />}
      {type === 'dict' && (
        <ChoiceRow
          label={texts.dictionary}
          needed
          value={field['x-dictionary'] || undefined}
          options={catalogue.dictionaries.map((one) => ({
            value: one.name,
            label: `${textIn(one.label, locale)} · ${one.name}`,
          }))}
          onChange={(next) => set('x-dictionary', next ?? '')}
        />
      )}
      {(type === 'ref' || type === 'refs') && (
        <>
          <ChoiceRow
            label={texts.reference}
            needed
            value={field['x-ref'] || undefined}
            options={catalogue.entities.map((one) => ({ value: one.name, label: `${textIn(one.label, locale)} · ${one.name}` }))}
            onChange={(next) => set('x-ref', next ?? '')}
          />
          {control('x-refFilter')}
        </>
      )}
      {type === 'money' && (
        <Row label={texts.moneyCurrency}>
          {(id) => (
            <AutoComplete
              id={id}
              size="small"
              className="sb-design-wide"
              value={typeof field['x-money'] === 'string' ? field['x-money'] : ''}
              options={[
                ...moneyFields.map(([key, one]) => ({ value: key, label: `${textIn(one['x-label'], locale)} · ${key}` })),
                ...['CNY', 'USD', 'EUR', 'HKD'].map((value) => ({ value, label: value })),
              ]}
              onChange={(next: string) => set('x-money', next)}
            />
          )}
        </Row>
      )}
      {control('x-help')}
      {control('visible')}
      {field.value === undefined && control('requiredIf')}
      {!rows && control('value')}
      {!rows && field.value === undefined && control('suggest')}
      {rows && (
        <Row label={texts.rowFields} group>
          {() => (
            <>
              <ul className="sb-fields-list">
                {cells.map((key, index) => (
                  <li key={key} className="sb-fields-field">
                    <button
                      type="button"
                      onClick={() => onChoose(`${name}.${key}`)}
                      onKeyDown={(event) => {
                        if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
                        event.preventDefault()
                        moveCell(index, index + (event.key === 'ArrowUp' ? -1 : 1))
                      }}
                    >
                      <span>
                        {rows.required?.includes(key) && <span className="sb-fields-needed">*</span>}
                        {textIn(rows.fields[key]?.['x-label'], locale) || key}
                      </span>
                      <small>{valueName(catalogue, 'fieldType', typesOf(form).get(`${name}.${key}`) ?? 'string', locale)}</small>
                    </button>
                    <Button size="small" type="text" disabled={index === 0} onClick={() => moveCell(index, index - 1)}>
                      {texts.up}
                    </Button>
                  </li>
                ))}
              </ul>
              <AddField
                taken={cells}
                types={CELL_TYPES}
                onAdd={(key, kind, label) => {
                  put({ ...field, rows: { ...rows, fields: { ...rows.fields, [key]: newField(kind, label) } } })
                  onChoose(`${name}.${key}`)
                }}
              />
              <Control
                at={`${at}/rows/from`}
                name="from"
                word={language.resolve(word.properties?.rows?.properties?.from ?? {})}
                value={rows.from}
                onChange={(next) => put({ ...field, rows: withMember({ ...rows }, 'from', next) as unknown as typeof rows })}
              />
            </>
          )}
        </Row>
      )}
      {cell === undefined && (
        <FlagRow
          label={texts.branchable}
          value={field.branchable ?? true}
          onChange={(next) => set('branchable', next ? undefined : false)}
        />
      )}
      <Collapse
        ghost
        size="small"
        className="sb-process-folds"
        items={[{ key: 'more', label: texts.more, children: further.map(([member]) => control(member)) }]}
      />
      <div className="sb-design-row-actions">
        {cell !== undefined && (
          <Button size="small" onClick={() => onChoose(name)}>
            {texts.back}
          </Button>
        )}
        {onDuplicate && cell === undefined && (
          <Button size="small" onClick={onDuplicate}>
            {texts.duplicate}
          </Button>
        )}
        <Button
          size="small"
          danger
          onClick={() => {
            if (cell === undefined) return onRemove()
            const outer = form.fields[name]
            if (!outer?.rows) return
            const { [cell]: _gone, ...rest } = outer.rows.fields
            onChange(withFieldAt(form, name, { ...outer, rows: { ...withRequired(outer.rows, cell, false), fields: rest } }))
            onChoose(name)
          }}
        >
          {texts.remove}
        </Button>
      </div>
    </section>
  )
}
