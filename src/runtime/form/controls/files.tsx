import { Attachments } from './Attachments'
import type { ControlProps } from './registry'

const Files = (props: ControlProps) => <Attachments {...props} multiple />

export default Files
