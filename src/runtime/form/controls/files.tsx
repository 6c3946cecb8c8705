import { Attachments } from './Attachments'
import type { ControlProps } from './control'

const Files = (props: ControlProps) => <Attachments {...props} multiple />

export default Files
