import { Input, InputNumber, Switch } from 'antd'
import { useId, type ReactNode } from 'react'
import { RemoteSelect, SearchSelect } from '../../../../runtime/choice/SearchSelect'
import { useHost } from '../../../../runtime/hostContext'
import type { BilingualText } from '../../../../schema/problem'
import { TextControl } from '../../panel/TextControl'
import { processTexts } from '../texts'
import { STAFF, useStaff } from './staff'

interface RowProps {
  label: string
  help?: string
  children: (id: string) => ReactNode
  /** Several controls stand together under the label. */
  group?: boolean
}

/** A setting: what it is called, its control, what it means. */
export const Row = ({ label, help, group = false, children }: RowProps) => {
  const id = useId()
  return (
    <div className="sb-design-control" {...(group ? { role: 'group', 'aria-labelledby': `${id}-label` } : {})}>
      {group ? (
        <span id={`${id}-label`} className="sb-design-label">
          {label}
        </span>
      ) : (
        <label id={`${id}-label`} htmlFor={id} className="sb-design-label">
          {label}
        </label>
      )}
      {children(id)}
      {help && <small className="sb-design-help">{help}</small>}
    </div>
  )
}

interface Named {
  label: string
  help?: string
}

export const TextRow = ({
  label,
  help,
  value,
  onChange,
}: Named & { value: BilingualText | undefined; onChange(value: BilingualText | undefined): void }) => (
  <Row label={label} group {...(help === undefined ? {} : { help })}>
    {() => <TextControl label={label} value={value} onChange={(next) => onChange(next as BilingualText | undefined)} />}
  </Row>
)

export const LineRow = ({
  label,
  help,
  value,
  mono = false,
  disabled = false,
  wrong = false,
  onChange,
}: Named & { value: string; mono?: boolean; disabled?: boolean; wrong?: boolean; onChange(value: string): void }) => (
  <Row label={label} {...(help === undefined ? {} : { help })}>
    {(id) => (
      <Input
        id={id}
        size="small"
        className={mono ? 'sb-design-mono' : ''}
        disabled={disabled}
        status={wrong ? 'error' : ''}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    )}
  </Row>
)

interface ChoiceProps extends Named {
  value: string | undefined
  options: readonly { value: string; label: string }[]
  /** What holds while nothing is chosen. */
  otherwise?: string | undefined
  /** Nothing cannot be chosen. */
  needed?: boolean
  onChange(value: string | undefined): void
}

export const ChoiceRow = ({ label, help, value, options, otherwise, needed = false, onChange }: ChoiceProps) => {
  const texts = processTexts[useHost().locale]
  const named = options.find((option) => option.value === otherwise)?.label
  return (
    <Row label={label} {...(help === undefined ? {} : { help })}>
      {(id) => (
        <SearchSelect<string | undefined>
          id={id}
          size="small"
          allowClear={!needed}
          className="sb-design-wide"
          placeholder={named ?? (otherwise === undefined ? texts.choose : texts.unset)}
          value={value}
          options={[
            ...(value === undefined || options.some((option) => option.value === value) ? [] : [{ value, label: value }]),
            ...options,
          ]}
          onChange={(next) => onChange(next ?? undefined)}
        />
      )}
    </Row>
  )
}

export const ManyRow = ({
  label,
  help,
  value,
  options,
  typed = false,
  placeholder,
  onChange,
}: Named & {
  value: readonly string[]
  options: readonly { value: string; label: string }[]
  /** Others may be typed. */
  typed?: boolean
  placeholder?: string
  onChange(value: string[]): void
}) => (
  <Row label={label} {...(help === undefined ? {} : { help })}>
    {(id) => (
      <SearchSelect<readonly string[]>
        id={id}
        size="small"
        mode={typed ? 'tags' : 'multiple'}
        className="sb-design-wide"
        placeholder={placeholder}
        value={value}
        options={options}
        onChange={(next) => onChange([...next])}
      />
    )}
  </Row>
)

export const FlagRow = ({ label, help, value, onChange }: Named & { value: boolean; onChange(value: boolean): void }) => (
  <Row label={label} {...(help === undefined ? {} : { help })}>
    {(id) => <Switch id={id} size="small" className="sb-process-switch" checked={value} onChange={onChange} />}
  </Row>
)

export const NumberRow = ({
  label,
  help,
  value,
  min,
  max,
  whole = false,
  onChange,
}: Named & {
  value: number | undefined
  min?: number
  max?: number
  whole?: boolean
  onChange(value: number | undefined): void
}) => (
  <Row label={label} {...(help === undefined ? {} : { help })}>
    {(id) => (
      <InputNumber
        id={id}
        size="small"
        className="sb-design-wide"
        value={value ?? null}
        {...(min === undefined ? {} : { min })}
        {...(max === undefined ? {} : { max })}
        {...(whole ? { precision: 0 } : {})}
        onChange={(next) => onChange(next ?? undefined)}
      />
    )}
  </Row>
)

/** Members of staff, found by name. */
export const PeopleRow = ({
  label,
  help,
  value,
  onChange,
}: Named & { value: readonly string[]; onChange(value: string[]): void }) => {
  const host = useHost()
  const { names, learn } = useStaff()
  return (
    <Row label={label} {...(help === undefined ? {} : { help })}>
      {(id) => (
        <RemoteSelect
          id={id}
          className="sb-design-wide sb-process-people"
          host={host}
          path={STAFF}
          multiple
          value={value}
          titleOf={(one) => names.get(one)}
          onChange={(ids, titles) => {
            learn(titles)
            onChange(ids)
          }}
        />
      )}
    </Row>
  )
}

/** A number, or an expression that gives one. */
export const NumberOrExpressionRow = ({
  label,
  help,
  value,
  onChange,
}: Named & { value: number | string | undefined; onChange(value: number | string | undefined): void }) => (
  <Row label={label} {...(help === undefined ? {} : { help })}>
    {(id) => (
      <Input
        id={id}
        size="small"
        className="sb-design-mono"
        value={value === undefined ? '' : String(value)}
        onChange={({ target }) => {
          const text = target.value
          const number = Number(text)
          onChange(text.trim() === '' ? undefined : Number.isFinite(number) && !text.endsWith('.') ? number : text)
        }}
      />
    )}
  </Row>
)
