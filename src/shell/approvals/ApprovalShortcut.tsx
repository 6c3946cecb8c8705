import { AuditOutlined } from '@ant-design/icons'
import { observer } from 'mobx-react-lite'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { HeaderCount } from '../layout/HeaderCount'
import { usePortal } from '../portal/portal'
import { countAndHear } from '../stream/channel'
import { ApprovalStore } from './approvalStore'

/** Pages of a person's approvals. */
const APPROVALS = '/general/process/'

/** The shortcut to approvals in the header (R046), with how many wait for this person. */
const ApprovalShortcut = observer(function ApprovalShortcut({ path }: { path: string }) {
  const { http, navigation, bookmarks } = usePortal()
  const { t } = useTranslation()
  const [store] = useState(() => new ApprovalStore(http))
  const there = bookmarks.active?.path.startsWith(APPROVALS) === true
  useEffect(() => {
    const end = countAndHear(store.count, store.hear)
    return () => {
      end()
      store.stop()
    }
  }, [store])
  // Once somebody comes to the pages on which he decides or leaves them.
  const last = useRef(there)
  useEffect(() => {
    if (last.current !== there) void store.count()
    last.current = there
  }, [store, there])
  const { waiting } = store
  const label = waiting === 0 ? t('layout.approval') : t('layout.approvalWaiting', { waiting })
  return (
    <HeaderCount label={label} count={waiting} icon={<AuditOutlined />} open={false} onOpen={() => navigation.go(path)}>
      {null}
    </HeaderCount>
  )
})
export default ApprovalShortcut
