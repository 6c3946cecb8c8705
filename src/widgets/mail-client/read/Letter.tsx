import { Alert, Button, theme } from 'antd'
import { useMemo, useState } from 'react'
import { tellFailure } from '../../../runtime/reading/tell'
import { useHost } from '../../../runtime/hostContext'
import { mailTexts } from '../parts/texts'
import type { Message } from '../parts/types'
import { frameDocument } from './frame'
import { usePictures } from './usePictures'

interface LetterProps {
  message: Message
  /** Reads it again: what is trusted has changed. */
  onTrust(): void
  /** Saves the whole of it. */
  onWhole(): void
}

const TRUST = '/v2/mail/imageTrust'

/** The letter itself in a frame without origin and scripts, and the pictures that wait for the reader's trust. */
export const Letter = ({ message, onTrust, onWhole }: LetterProps) => {
  const host = useHost()
  const texts = mailTexts[host.locale]
  const [loads, setLoads] = useState(false)
  const isTrusted = message.imagesTrusted || loads
  const { inside, outside, waiting, failed } = usePictures(message, isTrusted)
  const { content, senderEmail } = message
  const isDark = host.theme === 'dark'
  const { colorText: text, colorBgContainer: ground, colorLink: link } = theme.useToken().token
  const page = useMemo(
    () =>
      frameDocument({
        ...{ content, language: host.locale, quoted: texts.quoted, inside, outside },
        colours: { isDark, text, ground, link },
      }),
    [content, isDark, text, ground, link, host.locale, texts, inside, outside],
  )
  const trust = async (): Promise<void> => {
    try {
      await host.request({ method: 'POST', path: `${TRUST}/save`, body: { value: senderEmail.toLowerCase() } })
      onTrust()
    } catch (error) {
      tellFailure(host, error, 'mail.client trust')
    }
  }
  const untrust = async (): Promise<void> => {
    try {
      const domain = senderEmail.slice(senderEmail.lastIndexOf('@') + 1).toLowerCase()
      const where = [{ field: 'value', operator: 'in', value: [senderEmail.toLowerCase(), domain] }]
      const { records } = await host.request<{ records: readonly { id: string }[] }>({
        method: 'POST',
        path: `${TRUST}/queryPage`,
        body: { pageSize: 10, where },
      })
      await host.request({ method: 'POST', path: `${TRUST}/deleteBatch`, body: { ids: records.map(({ id }) => id) } })
      setLoads(false)
      onTrust()
    } catch (error) {
      tellFailure(host, error, 'mail.client untrust')
    }
  }
  return (
    <>
      {waiting > 0 && !isTrusted && (
        <Alert
          type="info"
          banner
          showIcon
          message={
            <>
              {texts.pictures}
              <span className="sb-mail-acts">
                <Button size="small" onClick={() => setLoads(true)}>
                  {texts.loadPictures}
                </Button>
                <Button size="small" type="link" onClick={() => void trust()}>
                  {texts.trustSender(senderEmail)}
                </Button>
              </span>
            </>
          }
        />
      )}
      {waiting > 0 && message.imagesTrusted && (
        <p className="sb-mail-note">
          {texts.trusted(senderEmail)}{' '}
          <Button size="small" type="link" onClick={() => void untrust()}>
            {texts.untrust}
          </Button>
        </p>
      )}
      {failed > 0 && <p className="sb-mail-note">{texts.pictureFailed(failed)}</p>}
      {message.htmlCut && (
        <Alert
          type="info"
          banner
          showIcon
          message={texts.cut}
          action={
            <Button size="small" onClick={onWhole}>
              {texts.showAll}
            </Button>
          }
        />
      )}
      <iframe
        className="sb-mail-letter"
        title={texts.body}
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        referrerPolicy="no-referrer"
        srcDoc={page}
      />
    </>
  )
}
