import { Button } from 'antd'
import { useEffect, useRef, type Ref, useImperativeHandle } from 'react'
import SignaturePad from 'signature_pad'
import { useHost } from '../../../runtime/hostContext'
import { taskTexts } from './texts'

export interface SignatureHandle {
  /** The picture of what was written; null when nothing was. */
  picture(): Promise<File | null>
}

/** A box in which one signs with finger, pen or mouse. */
const Signature = ({ handle }: { handle: Ref<SignatureHandle> }) => {
  const texts = taskTexts[useHost().locale]
  const canvas = useRef<HTMLCanvasElement>(null)
  const pad = useRef<SignaturePad | null>(null)
  useEffect(() => {
    const element = canvas.current
    if (!element) return
    const made = new SignaturePad(element, { backgroundColor: '#ffffff', penColor: '#101828' })
    pad.current = made
    const fit = (): void => {
      const ratio = Math.max(window.devicePixelRatio, 1)
      const written = made.toData()
      element.width = element.offsetWidth * ratio
      element.height = element.offsetHeight * ratio
      element.getContext('2d')?.scale(ratio, ratio)
      made.clear()
      made.fromData(written)
    }
    fit()
    window.addEventListener('resize', fit)
    return () => {
      window.removeEventListener('resize', fit)
      made.off()
    }
  }, [])
  useImperativeHandle(
    handle,
    () => ({
      picture: () =>
        new Promise((resolve) => {
          if (!canvas.current || pad.current?.isEmpty() !== false) return resolve(null)
          canvas.current.toBlob((blob) => resolve(blob && new File([blob], 'signature.png', { type: 'image/png' })), 'image/png')
        }),
    }),
    [],
  )
  return (
    <>
      <canvas ref={canvas} className="sb-process-sign" role="img" aria-label={texts.sign} />
      <p className="sb-process-note">
        {texts.signHelp}{' '}
        <Button size="small" type="link" onClick={() => pad.current?.clear()}>
          {texts.signClear}
        </Button>
      </p>
    </>
  )
}
export default Signature
