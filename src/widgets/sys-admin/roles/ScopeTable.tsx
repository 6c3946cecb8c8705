import { Checkbox, Flex } from 'antd'
import { useHost } from '../../../runtime/hostContext'
import { SCOPES, type CatalogueEntity, type RoleDraft, type RowScope } from './role'
import { roleTexts } from './texts'

interface ScopeTableProps {
  entities: readonly CatalogueEntity[]
  scopes: RoleDraft['scopes']
  editable: boolean
  onChange(scopes: RoleDraft['scopes']): void
}

/** Stands for every entity in the scopes of a role. */
const EVERY = '*'

/** Which rows members see, entity by entity. */
export const ScopeTable = ({ entities, scopes, editable, onChange }: ScopeTableProps) => {
  const texts = roleTexts[useHost().locale]
  const options = SCOPES.map((scope) => ({ value: scope, label: texts.scope[scope] }))
  const owned = entities.filter((entity) => entity.scopes.length > 0)
  // A scope of an entity that the catalogue does not offer stays visible: it is granted all the same.
  const others = Object.keys(scopes).filter((name) => name !== EVERY && !owned.some((entity) => entity.name === name))
  const rows = [
    { name: EVERY, title: texts.everyEntity, help: texts.everyEntityHelp },
    ...owned.map(({ name, title }) => ({ name, title, help: name })),
    ...others.map((name) => ({ name, title: entities.find((entity) => entity.name === name)?.title ?? name, help: name })),
  ]
  const change = (name: string, granted: readonly RowScope[]): void => {
    const { [name]: _before, ...rest } = scopes
    onChange(granted.length === 0 ? rest : { ...rest, [name]: SCOPES.filter((scope) => granted.includes(scope)) })
  }
  return (
    <Flex vertical gap={12}>
      <p className="sb-admin-note">{texts.scopesHelp}</p>
      <ul className="sb-scope-rows">
        {rows.map(({ name, title, help }) => (
          <li key={name} className="sb-scope-row">
            <span className="sb-scope-name">
              {title}
              <span className={name === EVERY ? 'sb-choice-more' : 'sb-admin-key'}>{help}</span>
            </span>
            <div role="group" aria-label={title} className="sb-scope-choice">
              <Checkbox.Group
                disabled={!editable}
                options={options}
                value={[...(scopes[name] ?? [])]}
                onChange={(granted) => change(name, granted)}
              />
            </div>
          </li>
        ))}
      </ul>
    </Flex>
  )
}
