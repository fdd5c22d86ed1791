package io.sluice.launcher.cluster;

import io.sluice.shell.LoopbackPorts;

/**
 * Two different free ports on loopback.
 *
 * @param member for members' own traffic
 * @param bus for the event bus
 */
record FreePorts(int member, int bus) {
    static FreePorts found() {
        return new FreePorts(LoopbackPorts.next(), LoopbackPorts.next());
    }
}
