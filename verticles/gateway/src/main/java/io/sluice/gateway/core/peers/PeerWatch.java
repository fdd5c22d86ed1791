package io.sluice.gateway.core.peers;

import io.sluice.messages.member.MemberStatus;
import io.sluice.shell.Peer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Tracks whether the other processes reply, and which roles that this process needs are missing.
 *
 * <p>A process counts as replying until it has been silent for {@link #SILENT_AFTER}; a new one counts from its first
 * reply on. A role is missing only if no process with it replies.
 */
public final class PeerWatch {
    /** Two requests in a row may be lost before a process counts as silent. */
    public static final Duration SILENT_AFTER = Duration.ofSeconds(3);

    /** How many processes are watched at most. */
    static final int PEERS_MAX = 1_000;

    private static final int NAMED_MAX = 4;

    private final Set<String> ownRoles;
    private final Map<String, Set<String>> needs;
    private final Map<String, Answered> others = new TreeMap<>();

    /** The state of one other process. */
    private static final class Answered {
        private Peer peer;
        private Optional<MemberStatus> status = Optional.empty();
        private Optional<Duration> roundTrip = Optional.empty();
        private Optional<Instant> silentSince;
        private String reason = "";
        private Optional<Instant> requestedAt = Optional.empty();

        private Answered(Peer peer, Instant now) {
            this.peer = peer;
            silentSince = Optional.of(now);
        }

        private boolean answering(Instant now) {
            return status.isPresent()
                    && silentSince
                            .filter(since -> !since.plus(SILENT_AFTER).isAfter(now))
                            .isEmpty();
        }
    }

    /**
     * Creates a watch without processes.
     *
     * @param ownRoles what this process runs
     * @param needs for a role of this process the roles that some process must reply for
     */
    public PeerWatch(Set<String> ownRoles, Map<String, Set<String>> needs) {
        this.ownRoles = Set.copyOf(ownRoles);
        this.needs = new TreeMap<>(needs);
    }

    /** Takes the processes that exist now beside this one; others are removed. */
    public void members(List<Peer> peers, Instant now) {
        var ids = new HashSet<String>();
        for (var peer : peers.subList(0, Math.min(peers.size(), PEERS_MAX))) {
            ids.add(peer.id());
            others.computeIfAbsent(peer.id(), id -> new Answered(peer, now)).peer = peer;
        }
        others.keySet().retainAll(ids);
    }

    /** Returns the processes that should get a request now: all that do not owe a reply. */
    public List<String> request(Instant now) {
        List<String> requested = new ArrayList<>();
        others.forEach((id, answered) -> {
            if (answered.requestedAt.isEmpty()) {
                answered.requestedAt = Optional.of(now);
                requested.add(id);
            }
        });
        return requested;
    }

    /** Takes a reply; one of a process that is gone changes nothing. */
    public void answered(String id, MemberStatus status, Instant now) {
        var answered = others.get(id);
        if (answered != null) {
            answered.roundTrip =
                    answered.requestedAt.map(at -> Duration.between(at, now)).or(() -> answered.roundTrip);
            answered.requestedAt = Optional.empty();
            answered.status = Optional.of(status);
            answered.silentSince = Optional.empty();
            answered.reason = "";
        }
    }

    /**
     * Takes that a request got no reply; the silence begins when the first such request was sent.
     *
     * @param reason why, in words
     */
    public void lost(String id, String reason, Instant now) {
        var answered = others.get(id);
        if (answered != null) {
            answered.silentSince =
                    answered.silentSince.or(() -> answered.requestedAt).or(() -> Optional.of(now));
            answered.requestedAt = Optional.empty();
            answered.reason = reason;
        }
    }

    /** Returns how many other processes there are. */
    public int count() {
        return others.size();
    }

    /** Returns how many of them reply. */
    public int answering(Instant now) {
        return (int) others.values().stream()
                .filter(answered -> answered.answering(now))
                .count();
    }

    /** Returns all of them, sorted by id. */
    public List<PeerView> views(Instant now) {
        return others.values().stream()
                .map(answered -> new PeerView(
                        answered.peer,
                        answered.status,
                        answered.roundTrip,
                        answered.silentSince,
                        answered.answering(now),
                        answered.reason))
                .toList();
    }

    /** Returns what this process needs and does not have: a sentence for each, without a full stop. */
    public List<String> missing(Instant now) {
        List<String> sentences = new ArrayList<>();
        Map<String, Set<String>> silent = new TreeMap<>();
        wanted().forEach((role, wanting) -> {
            var having = others.values().stream()
                    .filter(answered -> answered.peer.roles().contains(role))
                    .toList();
            if (having.isEmpty()) {
                sentences.add("no process with the role " + role + " exists (" + PeerText.need(wanting, "it") + ")");
            } else if (having.stream().noneMatch(answered -> answered.answering(now))) {
                having.forEach(answered -> silent.computeIfAbsent(answered.peer.id(), id -> new TreeSet<>())
                        .add(PeerText.need(wanting, role)));
            }
        });
        silent.forEach((id, why) -> sentences.add(silence(others.get(id), List.copyOf(why), now)));
        return cut(sentences);
    }

    /** Returns the roles that are needed and not run here, each with the roles of this process that need it. */
    private Map<String, Set<String>> wanted() {
        Map<String, Set<String>> wanted = new TreeMap<>();
        needs.forEach((mine, roles) -> roles.stream()
                .filter(role -> ownRoles.contains(mine) && !ownRoles.contains(role))
                .forEach(role ->
                        wanted.computeIfAbsent(role, added -> new TreeSet<>()).add(mine)));
        return wanted;
    }

    private static String silence(Answered answered, List<String> why, Instant now) {
        var since = Duration.between(answered.silentSince.orElse(now), now);
        var silence = answered.status.isEmpty()
                ? " has not replied over the bus yet, for "
                : " has not replied over the bus for ";
        return "the process " + PeerText.named(answered.peer) + silence + PeerText.time(since) + " ("
                + PeerText.and(why) + ")";
    }

    private static List<String> cut(List<String> sentences) {
        if (sentences.size() <= NAMED_MAX) {
            return List.copyOf(sentences);
        }
        var cut = new ArrayList<>(sentences.subList(0, NAMED_MAX));
        cut.add("and " + (sentences.size() - NAMED_MAX) + " more");
        return List.copyOf(cut);
    }
}
