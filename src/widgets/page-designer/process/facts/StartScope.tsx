import { CloseOutlined } from '@ant-design/icons'
import { Button, Select } from 'antd'
import { RemoteSelect, SearchSelect } from '../../../../runtime/choice/SearchSelect'
import { useHost } from '../../../../runtime/hostContext'
import type { ProcessDocument } from '../../../../schema/generated/process'
import { useCatalogue } from '../panel/catalogue'
import { Row } from '../panel/Row'
import { STAFF, useStaff } from '../panel/staff'
import { processTexts } from '../texts'
import { textIn } from '../words'

type Entry = NonNullable<ProcessDocument['startScope']>[number]
const KINDS = ['role', 'department', 'staff', 'permission'] as const
type Kind = (typeof KINDS)[number]

const kindOf = (entry: Entry): Kind => KINDS.find((kind) => kind in entry) ?? 'role'
const valueOf = (entry: Entry): string => Object.values(entry)[0] ?? ''
const entryOf = (kind: Kind, value: string): Entry => ({ [kind]: value }) as unknown as Entry

interface Props {
  value: readonly Entry[]
  onChange(value: Entry[]): void
}

/** Who may start the process: roles, departments, members of staff, holders of a permission. */
export const StartScope = ({ value, onChange }: Props) => {
  const host = useHost()
  const { locale } = host
  const texts = processTexts[locale]
  const catalogue = useCatalogue()
  const { names, learn } = useStaff()
  const options: Readonly<Record<Exclude<Kind, 'staff'>, { value: string; label: string }[]>> = {
    role: [...catalogue.roles, ...catalogue.portalRoles].map(({ code, name }) => ({ value: code, label: textIn(name, locale) })),
    department: catalogue.departments.map(({ id, name }) => ({ value: id, label: name })),
    permission: catalogue.permissions.map((key) => ({ value: key, label: key })),
  }
  return (
    <Row label={texts.startScope} group {...(value.length === 0 ? { help: texts.startEverybody } : {})}>
      {() => (
        <div className="sb-design-rows">
          {value.map((entry, index) => {
            const kind = kindOf(entry)
            const put = (next: Entry): void => onChange(value.with(index, next))
            return (
              <div key={index} className="sb-design-compared">
                <Select<Kind>
                  size="small"
                  className="sb-design-operator"
                  aria-label={texts.startScope}
                  value={kind}
                  options={KINDS.map((one) => ({ value: one, label: texts.scopeKinds[one] }))}
                  onChange={(next) => put(entryOf(next, ''))}
                />
                {kind === 'staff' ? (
                  <RemoteSelect
                    className="sb-design-wide"
                    host={host}
                    path={STAFF}
                    aria-label={texts.scopeKinds.staff}
                    value={valueOf(entry) === '' ? [] : [valueOf(entry)]}
                    titleOf={(id) => names.get(id)}
                    onChange={(ids, titles) => {
                      learn(titles)
                      put(entryOf('staff', ids[0] ?? ''))
                    }}
                  />
                ) : (
                  <SearchSelect<string | undefined>
                    size="small"
                    aria-label={texts.scopeKinds[kind]}
                    value={valueOf(entry) || undefined}
                    options={options[kind]}
                    onChange={(next) => put(entryOf(kind, next ?? ''))}
                  />
                )}
                <Button
                  size="small"
                  type="text"
                  icon={<CloseOutlined />}
                  aria-label={texts.remove}
                  onClick={() => onChange(value.filter((_, position) => position !== index))}
                />
              </div>
            )
          })}
          <Button size="small" onClick={() => onChange([...value, entryOf('role', '')])}>
            {texts.addItem}
          </Button>
        </div>
      )}
    </Row>
  )
}
