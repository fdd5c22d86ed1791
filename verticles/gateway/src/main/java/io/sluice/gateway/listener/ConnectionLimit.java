package io.sluice.gateway.listener;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Decides which connections a listener keeps. It counts them from the moment they are accepted, so that those whose TLS
 * handshake never ends count too. Safe from any thread.
 *
 * <p>A connection beyond the limit may still be a probe's. It gets one of the few places for probes; if these are taken
 * too, the connection that has had one for the longest time is closed.
 */
final class ConnectionLimit {
    private static final AttributeKey<Boolean> FOR_PROBES = AttributeKey.valueOf(ConnectionLimit.class, "forProbes");
    private static final int NETWORK_BYTES = 8;

    private final ConnectionCapacity capacity;
    private final Map<String, Integer> byAddress = new HashMap<>();
    private final Set<Channel> forProbes = new LinkedHashSet<>();
    private int kept;

    ConnectionLimit(ConnectionCapacity capacity) {
        this.capacity = capacity;
    }

    /** Returns whether a connection that was just accepted is kept. */
    synchronized boolean admits(Channel channel) {
        var address = address(channel.remoteAddress());
        if (kept < capacity.connections() && byAddress.getOrDefault(address, 0) < capacity.perAddress()) {
            kept++;
            byAddress.merge(address, 1, Integer::sum);
            channel.closeFuture().addListener(closed -> left(address));
            return true;
        }
        return capacity.probes() > 0 && admitsProbe(channel);
    }

    /** Returns whether a connection has one of the places for probes. */
    static boolean isForProbes(Channel channel) {
        return Boolean.TRUE.equals(channel.attr(FOR_PROBES).get());
    }

    synchronized int kept() {
        return kept + forProbes.size();
    }

    private boolean admitsProbe(Channel channel) {
        if (forProbes.size() == capacity.probes()) {
            var oldest = forProbes.iterator().next();
            forProbes.remove(oldest);
            oldest.close();
        }
        channel.attr(FOR_PROBES).set(true);
        forProbes.add(channel);
        channel.closeFuture().addListener(closed -> probeLeft(channel));
        return true;
    }

    private synchronized void left(String address) {
        kept--;
        byAddress.computeIfPresent(address, (same, count) -> count == 1 ? null : count - 1);
    }

    private synchronized void probeLeft(Channel channel) {
        forProbes.remove(channel);
    }

    private static String address(SocketAddress remote) {
        if (!(remote instanceof InetSocketAddress inet) || inet.getAddress() == null) {
            return String.valueOf(remote);
        }
        var bytes = inet.getAddress().getAddress();
        int length = inet.getAddress() instanceof Inet6Address ? NETWORK_BYTES : bytes.length;
        return HexFormat.of().formatHex(bytes, 0, length);
    }
}
