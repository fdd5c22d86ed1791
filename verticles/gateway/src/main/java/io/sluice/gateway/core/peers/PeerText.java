package io.sluice.gateway.core.peers;

import io.sluice.shell.Peer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** Formats processes and durations for sentences. */
public final class PeerText {
    private static final int ID_CHARACTERS = 8;
    private static final long TENS_FROM_SECONDS = 10;
    private static final long MINUTE_SECONDS = 60;

    private PeerText() {}

    /** Returns the first characters of an id, which are enough to distinguish processes and to select one of them. */
    public static String id(String id) {
        return id.substring(0, Math.min(id.length(), ID_CHARACTERS));
    }

    /** Formats a process: {@code 1f3a (ledger, monitor; 10.0.0.2:5701)}. */
    static String named(Peer peer) {
        var roles = peer.roles().isEmpty()
                ? "no roles"
                : peer.roles().stream().sorted().collect(Collectors.joining(", "));
        return id(peer.id()) + " (" + roles + (peer.endpoint().isEmpty() ? "" : "; " + peer.endpoint()) + ")";
    }

    /**
     * Formats a duration, with coarser steps the longer it is: a sentence is logged whenever it changes, which must not
     * be each second.
     */
    static String time(Duration time) {
        long seconds = Math.max(0, time.toSeconds());
        if (seconds < TENS_FROM_SECONDS) {
            return seconds + " s";
        }
        return seconds < MINUTE_SECONDS
                ? seconds / TENS_FROM_SECONDS * TENS_FROM_SECONDS + " s"
                : seconds / MINUTE_SECONDS + " min";
    }

    /** Formats which roles need something: {@code agent needs it}, {@code agent and pressure need it}. */
    static String need(Collection<String> roles, String what) {
        var sorted = roles.stream().sorted().toList();
        return and(sorted) + (sorted.size() == 1 ? " needs " : " need ") + what;
    }

    static String and(List<String> words) {
        int last = words.size() - 1;
        return last < 1
                ? String.join("", words)
                : String.join(", ", words.subList(0, last)) + " and " + words.get(last);
    }
}
