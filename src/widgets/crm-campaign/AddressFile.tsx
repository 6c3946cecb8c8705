import { Button, Flex, Input } from 'antd'
import { useRef } from 'react'
import { useHost } from '../../runtime/hostContext'
import type { WidgetProps } from '../../runtime/widget'

/** Bytes of a file of addresses. */
const LARGEST = 2_000_000
const TEXTS = {
  zh: { file: '从文件导入（.csv、.txt）', tooLarge: '文件超过 2 MB，请分开导入。', unreadable: '无法读取该文件。' },
  en: {
    file: 'From a file (.csv, .txt)',
    tooLarge: 'The file is larger than 2 MB: split it.',
    unreadable: 'The file cannot be read.',
  },
} as const
/** Whatever looks like an address in a line of a table, with the name in the cell before it. */
const ADDRESS = /[^\s,;<>"']+@[^\s,;<>"']+\.[^\s,;<>"']+/gu

/** The addresses in a file, a line each. */
const addressesIn = (text: string): string => [...new Set(text.match(ADDRESS) ?? [])].join('\n')

const AddressFile = ({ values }: WidgetProps<object>) => {
  const host = useHost()
  const texts = TEXTS[host.locale]
  const chooser = useRef<HTMLInputElement>(null)
  const onChange = values.onChange as ((value: string | null) => void) | undefined
  const value = typeof values.value === 'string' ? values.value : ''
  const fixed = !onChange || values.disabled === true || values.readOnly === true
  const take = async (file: File | undefined): Promise<void> => {
    if (!file || !onChange) return
    if (file.size > LARGEST) return host.notify('error', texts.tooLarge)
    const text = await file.text().catch(() => null)
    if (text === null) return host.notify('error', texts.unreadable)
    onChange([value, addressesIn(text)].filter((part) => part !== '').join('\n') || null)
  }
  return (
    <Flex vertical gap={8} align="flex-start">
      <Input.TextArea
        id={typeof values.id === 'string' ? values.id : undefined}
        aria-describedby={typeof values.describedBy === 'string' ? values.describedBy : undefined}
        rows={5}
        value={value}
        disabled={fixed}
        spellCheck={false}
        placeholder={'Anna Smith <anna@client.example>'}
        onChange={({ target }) => onChange?.(target.value === '' ? null : target.value)}
      />
      <input
        ref={chooser}
        type="file"
        hidden
        aria-label={texts.file}
        accept=".csv,.txt"
        onChange={({ target }) => {
          const [file] = target.files ?? []
          void take(file)
          target.value = ''
        }}
      />
      {!fixed && <Button onClick={() => chooser.current?.click()}>{texts.file}</Button>}
    </Flex>
  )
}
export default AddressFile
