import { Select } from 'antd'
import { useRef, useState } from 'react'
import { useFound, type FoundRow } from '../../../runtime/choice/SearchSelect'
import { useHost } from '../../../runtime/hostContext'
import { tellFailure } from '../../../runtime/reading/tell'
import { designerTexts } from '../texts'
import type { TargetState, Viewer } from '../types'

interface Props {
  target: string
  roles: TargetState['roles']
  onChange(viewer: Viewer | null): void
}

interface Person extends FoundRow {
  jobNumber?: string
}

const MYSELF = ''
const STAFF = '/v2/sys/staff/user/select'

/** As whom the preview is seen: oneself, any role, or any member of staff, found by typing. */
export const ViewerSelect = ({ target, roles, onChange }: Props) => {
  const host = useHost()
  const texts = designerTexts[host.locale]
  const myself = { value: MYSELF, label: texts.myself }
  // With its name: whom the list names depends on what was typed last.
  const [chosen, setChosen] = useState(myself)
  // An answer may come after that of a later choice.
  const wantedLast = useRef(MYSELF)
  const [typed, setTyped] = useState('')
  // Who may not look for people still has the roles.
  const { rows: people } = useFound<Person>(host, STAFF, typed)
  const choose = async (one: typeof myself): Promise<void> => {
    setChosen(one)
    setTyped('')
    const key = one.value
    wantedLast.current = key
    if (key === MYSELF) return onChange(null)
    const [kind, id] = [key.slice(0, key.indexOf(':')), key.slice(key.indexOf(':') + 1)]
    const query = { target, ...(kind === 'role' ? { role: id } : { staffId: id }) }
    try {
      const viewer = await host.request<Viewer>({ method: 'GET', path: '/v2/sys/schema/viewer', query })
      if (wantedLast.current === key) onChange(viewer)
    } catch (error) {
      if (wantedLast.current !== key) return
      setChosen(myself)
      onChange(null)
      tellFailure(host, error, 'page designer')
    }
  }
  const wanted = typed.toLowerCase()
  const found = roles.filter(({ code, name }) => `${code} ${name[host.locale]}`.toLowerCase().includes(wanted))
  return (
    <Select
      size="small"
      className="sb-design-who"
      aria-label={texts.viewAs}
      showSearch
      labelInValue
      filterOption={false}
      value={chosen}
      onSearch={setTyped}
      onChange={(one) => void choose(one)}
      popupMatchSelectWidth={280}
      options={[
        ...(myself.label.toLowerCase().includes(wanted) ? [myself] : []),
        {
          label: texts.viewRoles,
          options: found.map(({ code, name }) => ({ value: `role:${code}`, label: name[host.locale] })),
        },
        {
          label: texts.viewPeople,
          options: people.map(({ id, title, jobNumber = '' }) => ({
            value: `staff:${id}`,
            label: jobNumber === '' || title.includes(jobNumber) ? title : `${title} (${jobNumber})`,
          })),
        },
      ]}
    />
  )
}
