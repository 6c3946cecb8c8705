import './roles.css'
import { Segmented } from 'antd'
import { useState } from 'react'
import { useHost } from '../../../runtime/hostContext'
import { Loaded } from '../../../runtime/reading/Loaded'
import { useCall } from '../../../runtime/reading/useCall'
import { AdminPage } from '../split/AdminPage'
import { CompareRoles } from './CompareRoles'
import { ROLE, type Role } from './role'
import { RolesView } from './RolesView'
import { roleTexts } from './texts'
import { WhoHas } from './WhoHas'

type View = 'roles' | 'who' | 'compare'

/** Roles are read in one go: there are dozens, and both search and comparison need all of them. */
const ALL_ROLES = {
  method: 'POST',
  path: `${ROLE}/queryPage`,
  body: { pageNo: 1, pageSize: 1000, sort: [{ field: 'code', order: 'asc' }] },
} as const

/** The management of roles: what they grant, who has a permission, how two differ. */
const RolePermissions = () => {
  const host = useHost()
  const texts = roleTexts[host.locale]
  const [view, setView] = useState<View>('roles')
  const roles = useCall<{ records: Role[] }>(ALL_ROLES)
  return (
    <AdminPage
      title={texts.title}
      help={texts.help}
      actions={
        <Segmented<View>
          aria-label={texts.views}
          value={view}
          onChange={setView}
          options={[
            { value: 'roles', label: texts.viewRoles },
            { value: 'who', label: texts.viewWho },
            { value: 'compare', label: texts.viewCompare },
          ]}
        />
      }
    >
      <Loaded call={roles} rows={10}>
        {({ records }) => (
          <>
            {/* Kept while another view shows, so that unsaved changes stay. */}
            <div hidden={view !== 'roles'}>
              <RolesView roles={records} onChanged={roles.reload} />
            </div>
            {view === 'who' && <WhoHas />}
            {view === 'compare' && <CompareRoles roles={records} />}
          </>
        )}
      </Loaded>
    </AdminPage>
  )
}
export default RolePermissions
