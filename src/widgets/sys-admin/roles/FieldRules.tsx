import { DeleteOutlined } from '@ant-design/icons'
import { Button, Flex, Radio, Select, Tag } from 'antd'
import { useMemo } from 'react'
import { useHost } from '../../../runtime/hostContext'
import { RULES, type CatalogueEntity, type FieldRule, type RoleDraft } from './role'
import { roleTexts } from './texts'

interface FieldRulesProps {
  entities: readonly CatalogueEntity[]
  rules: RoleDraft['fieldRules']
  editable: boolean
  onChange(rules: RoleDraft['fieldRules']): void
}

/** What restricts single fields; fields are added by searching them. */
export const FieldRules = ({ entities, rules, editable, onChange }: FieldRulesProps) => {
  const texts = roleTexts[useHost().locale]
  const known = useMemo(
    () =>
      new Map(
        entities.flatMap((entity) =>
          entity.fields.map((field) => [
            `${entity.name}.${field.name}`,
            { entity: entity.title, field: field.title, sensitive: field.sensitive },
          ]),
        ),
      ),
    [entities],
  )
  const options = useMemo(
    () =>
      entities.map((entity) => ({
        label: `${entity.title} ${entity.name}`,
        title: entity.name,
        options: entity.fields.map((field) => ({
          value: `${entity.name}.${field.name}`,
          label: `${entity.title} › ${field.title}`,
        })),
      })),
    [entities],
  )
  const given = Object.keys(rules).sort()
  const titleOf = (name: string): string => {
    const field = known.get(name)
    return field ? `${field.entity} › ${field.field}` : name
  }
  const remove = (name: string): void => {
    const { [name]: _gone, ...rest } = rules
    onChange(rest)
  }
  return (
    <Flex vertical gap={12}>
      <p className="sb-admin-note">{texts.rulesHelp}</p>
      {editable && (
        <Select
          showSearch
          style={{ width: 420, maxWidth: '100%' }}
          aria-label={texts.addRule}
          placeholder={texts.addRulePlaceholder}
          value={null}
          options={options.map((group) => ({ ...group, options: group.options.filter(({ value }) => !(value in rules)) }))}
          filterOption={(search, option) => {
            const wanted = search.toLocaleLowerCase()
            const { value, label } = option as { value?: string; label?: string }
            return `${value ?? ''} ${label ?? ''}`.toLocaleLowerCase().includes(wanted)
          }}
          onSelect={(name: string | null) => {
            if (name) onChange({ ...rules, [name]: 'hide' })
          }}
        />
      )}
      {given.length === 0 && <p className="sb-admin-note">{texts.noRules}</p>}
      <ul className="sb-scope-rows">
        {given.map((name) => (
          <li key={name} className="sb-scope-row">
            <span className="sb-scope-name">
              <span>
                {titleOf(name)} {known.get(name)?.sensitive && <Tag color="orange">{texts.sensitive}</Tag>}
              </span>
              <span className="sb-admin-key">{name}</span>
            </span>
            <Radio.Group
              aria-label={texts.ruleOf(titleOf(name))}
              optionType="button"
              size="small"
              disabled={!editable}
              options={RULES.map((rule) => ({ value: rule, label: texts.rule[rule] }))}
              value={rules[name]}
              onChange={(event) => onChange({ ...rules, [name]: event.target.value as FieldRule })}
            />
            {editable && (
              <Button
                type="text"
                size="small"
                icon={<DeleteOutlined />}
                aria-label={texts.removeRule(titleOf(name))}
                onClick={() => remove(name)}
              />
            )}
          </li>
        ))}
      </ul>
    </Flex>
  )
}
