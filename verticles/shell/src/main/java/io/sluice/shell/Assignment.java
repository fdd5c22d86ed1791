package io.sluice.shell;

import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Assigns keys to the processes with a role, by rendezvous hashing. When a process joins or leaves, only its own keys
 * move, and all processes with the same view of each other compute the same assignment without messages.
 *
 * <p>While views differ, two processes may both have a key; everything that is divided by an assignment must tolerate
 * that. Safe from any thread.
 */
public final class Assignment {
    private final Peers peers;
    private final String role;
    private final Predicate<Peer> counted;

    /**
     * The assignment among the processes with a role.
     *
     * @param role the role's name in config
     */
    public Assignment(Peers peers, String role) {
        this.peers = Objects.requireNonNull(peers, "peers");
        this.role = Objects.requireNonNull(role, "role");
        this.counted = peer -> peers.alone() || peer.roles().contains(role);
    }

    /** Whether the key is assigned to this process. A process that is alone has all keys. */
    public boolean mine(String key) {
        return peers.alone() || holder(key).map(peers.self().id()::equals).orElse(false);
    }

    /** The id of the process that has the key; empty while no process has the role. */
    public Optional<String> holder(String key) {
        return heaviest(key, peers.all(), counted, Peer::id);
    }

    /** The one of those ids that has the key; empty if there are none. */
    public static Optional<String> holder(String key, Collection<String> ids) {
        return heaviest(key, ids, id -> true, Function.identity());
    }

    /** The candidate with the greatest weight. Called often for each VM, so it builds no list. */
    private static <T> Optional<String> heaviest(
            String key, Collection<T> all, Predicate<T> counts, Function<T, String> id) {
        String best = null;
        long bestWeight = 0;
        for (var each : all) {
            if (counts.test(each)) {
                long weight = weight(id.apply(each), key);
                if (best == null || Long.compareUnsigned(weight, bestWeight) > 0) {
                    best = id.apply(each);
                    bestWeight = weight;
                }
            }
        }
        return Optional.ofNullable(best);
    }

    /**
     * The id of the process to which requests for a key go: this process if it has the role itself, else the one that
     * has the key.
     */
    public Optional<String> nearest(String key) {
        return peers.self().roles().contains(role) ? Optional.of(peers.self().id()) : holder(key);
    }

    /**
     * FNV-1a over both, then the finaliser of MurmurHash3, so that ids which differ in one digit get different weights.
     */
    private static long weight(String id, String key) {
        long hash = 0xcbf29ce484222325L;
        hash = fold(hash, id);
        hash = fold(hash * 0x100000001b3L, key);
        hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
        hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return hash ^ (hash >>> 33);
    }

    private static long fold(long start, String text) {
        long hash = start;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
        }
        return hash;
    }
}
