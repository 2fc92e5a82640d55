/** A drawing for each kind of thing that can be attached. Decoration, as all icons. */
import type { VNode } from 'preact';
import type { AttachmentKind } from '../../core/conversation/conversation.ts';
import { FileIcon, Icon, SelectionIcon } from './icons.tsx';

export function KindIcon({ kind }: { readonly kind: AttachmentKind }): VNode {
  switch (kind) {
    case 'selection':
    case 'pasted':
      return <SelectionIcon />;
    case 'file':
      return <FileIcon />;
    case 'summary':
      return (
        <Icon>
          <path d="M4 2.5h8a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1zM5.5 5.5h5M5.5 8h5M5.5 10.5h3" />
        </Icon>
      );
    case 'folder':
      return (
        <Icon>
          <path d="M2 4.2c0-.5.4-.9.9-.9h3.3l1.5 1.7h5.4c.5 0 .9.4.9.9v6c0 .5-.4.9-.9.9H2.9c-.5 0-.9-.4-.9-.9z" />
        </Icon>
      );
    case 'symbol':
      return (
        <Icon>
          <path d="m8 2 5.2 3v6L8 14l-5.2-3V5zM2.8 5 8 8l5.2-3M8 8v6" />
        </Icon>
      );
    case 'problems':
      return (
        <Icon>
          <path d="M8 2.5 14.2 13.3H1.8zM8 6.5v3.2M8 11.4v.1" />
        </Icon>
      );
    case 'diff':
      return (
        <Icon>
          <path d="M8 2.5v6M5 5.5h6M5 12.5h6M2.5 1.5h11v13h-11z" />
        </Icon>
      );
    case 'terminal':
      return (
        <Icon>
          <path d="M2.8 2.8h10.4c.5 0 .8.3.8.8v8.8c0 .5-.3.8-.8.8H2.8c-.5 0-.8-.3-.8-.8V3.6c0-.5.3-.8.8-.8zM4.5 5.8 6.7 8l-2.2 2.2M8.2 10.5h3" />
        </Icon>
      );
    case 'image':
      return (
        <Icon>
          <path d="M2.9 3h10.2c.5 0 .9.4.9.9v8.2c0 .5-.4.9-.9.9H2.9c-.5 0-.9-.4-.9-.9V3.9c0-.5.4-.9.9-.9zM2 11l3.5-3.5 3 3 1.7-1.7L14 12.2M10.8 6.2v.1" />
        </Icon>
      );
    case 'instructions':
      return (
        <Icon>
          <path d="M8 4.2C6.8 3.3 5 2.8 2.5 2.8v9.4c2.5 0 4.3.5 5.5 1.4 1.2-.9 3-1.4 5.5-1.4V2.8c-2.5 0-4.3.5-5.5 1.4zM8 4.2v9.4" />
        </Icon>
      );
    case 'prompt':
      return (
        <Icon>
          <path d="M10 2.5 6 13.5" />
        </Icon>
      );
  }
}
