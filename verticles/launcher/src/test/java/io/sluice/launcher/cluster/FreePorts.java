package io.sluice.launcher.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/**
 * Two different free ports on loopback.
 *
 * @param member for members' own traffic
 * @param bus for the event bus
 */
record FreePorts(int member, int bus) {
    static FreePorts found() throws IOException {
        try (var one = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return new FreePorts(one.getLocalPort(), other.getLocalPort());
        }
    }
}
