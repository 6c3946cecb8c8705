import { Image } from 'antd'

/** A picture over the page (R267). */
export default function ImagePreview({ url, name, onClose }: { url: string; name: string; onClose: () => void }) {
  return (
    <Image
      src={url}
      alt={name}
      style={{ display: 'none' }}
      preview={{
        visible: true,
        onVisibleChange: (visible) => {
          if (!visible) onClose()
        },
      }}
    />
  )
}
