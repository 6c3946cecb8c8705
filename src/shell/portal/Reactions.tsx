import { App } from 'antd'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { usePortal } from './portal'

/** R379: errors stand for 2 s. */
export const ERROR_SECONDS = 2
/** R404: other toasts stand for 3 s. */
export const TOAST_SECONDS = 3
const SIGN_OUT_DELAY = 2_000
const ALIAS_RECORDS = '/crm/operate/alias-record'

/** The list of alias changes with the record in question, which it highlights. */
function aliasRecordAddress(recordId: string | null, taskId: string | null): string {
  const query = new URLSearchParams()
  if (recordId !== null) query.set('id', recordId)
  if (taskId !== null) query.set('taskId', taskId)
  return query.size === 0 ? ALIAS_RECORDS : `${ALIAS_RECORDS}?${query}`
}

/** Draws what the error catalogue asks for, with the dialogs and messages of the theme and the language. */
export function Reactions() {
  const { message, modal } = App.useApp()
  const { t } = useTranslation()
  const portal = usePortal()

  useEffect(() => {
    let ending = false
    portal.http.reactions = {
      error: (text) => void message.error(text, ERROR_SECONDS),
      endSession(text) {
        if (ending) return
        ending = true
        void message.error(text, ERROR_SECONDS)
        setTimeout(() => portal.signOut.leave(), SIGN_OUT_DELAY)
      },
      open: (address) => portal.navigation.go(address),
      aliasChange({ code, recordId, taskId }) {
        modal.confirm({
          title: t('error.aliasChangeTitle'),
          content: code === null ? t('error.aliasChangeNoCode') : t('error.aliasChange', { code }),
          okText: t('error.aliasChangeView'),
          cancelText: t('error.iKnow'),
          onOk: () => portal.navigation.go(aliasRecordAddress(recordId, taskId)),
        })
      },
      cannotExecute: (text) => void modal.warning({ title: t('error.cannotExecute'), content: text, okText: t('error.gotIt') }),
    }
  }, [message, modal, portal, t])

  return null
}
