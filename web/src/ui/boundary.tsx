/** An error boundary: shows a message in place of a part of the page that fails. */

import { Component, type ReactNode } from "react";

interface BoundaryProps {
  children: ReactNode;
  instead(fault: Error): ReactNode;
}

export class Boundary extends Component<BoundaryProps, { fault: Error | null }> {
  override state: { fault: Error | null } = { fault: null };

  static getDerivedStateFromError(fault: unknown): { fault: Error } {
    return { fault: fault instanceof Error ? fault : new Error(String(fault)) };
  }

  override render(): ReactNode {
    const { fault } = this.state;
    return fault === null ? this.props.children : this.props.instead(fault);
  }
}
