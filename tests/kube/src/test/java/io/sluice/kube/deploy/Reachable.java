package io.sluice.kube.deploy;

import java.net.Inet4Address;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Optional;

/** An address of this machine that an EndpointSlice may have, which loopback may not be in. */
final class Reachable {
    private Reachable() {}

    /** Empty if this machine has loopback alone. */
    static Optional<String> address() {
        try {
            return NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(address -> address instanceof Inet4Address
                            && !address.isLoopbackAddress()
                            && !address.isLinkLocalAddress())
                    .map(address -> address.getHostAddress())
                    .findFirst();
        } catch (SocketException unreadable) {
            return Optional.empty();
        }
    }
}
