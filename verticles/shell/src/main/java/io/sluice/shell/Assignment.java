package io.sluice.shell;

import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Who of those that carry a role does the work of a key, by rendezvous hashing: when a process joins or leaves, only
 * the keys that it gets or had move, and all processes that see the same members agree without a word.
 *
 * <p>Two processes may both hold a key for as long as they see different members; whatever is shared by it must bear
 * that. Safe from any thread.
 */
public final class Assignment {
    private final Peers peers;
    private final String role;
    private final Predicate<Peer> counted;

    /**
     * The share of this process.
     *
     * @param role as config names it
     */
    public Assignment(Peers peers, String role) {
        this.peers = Objects.requireNonNull(peers, "peers");
        this.role = Objects.requireNonNull(role, "role");
        this.counted = peer -> peers.alone() || peer.roles().contains(role);
    }

    /** Whether this process does the work of the key. A process that is alone does all of it. */
    public boolean mine(String key) {
        return peers.alone() || holder(key).map(peers.self().id()::equals).orElse(false);
    }

    /** The id of the process that does the work of the key; empty while nobody carries the role. */
    public Optional<String> holder(String key) {
        return heaviest(key, peers.all(), counted, Peer::id);
    }

    /** Which of those ids does the work of the key; empty if there are none. */
    public static Optional<String> holder(String key, Collection<String> ids) {
        return heaviest(key, ids, id -> true, Function.identity());
    }

    /** Asked for each VM at each look: it makes no list of those who count. */
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

    /** The id of the process that is asked for a key: this one if it carries the role itself, else its holder. */
    public Optional<String> nearest(String key) {
        return peers.self().roles().contains(role) ? Optional.of(peers.self().id()) : holder(key);
    }

    /** FNV-1a over both, then the finaliser of MurmurHash3, so that ids which differ in one digit weigh differently. */
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
