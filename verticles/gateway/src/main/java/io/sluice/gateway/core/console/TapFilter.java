package io.sluice.gateway.core.console;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The filter of a tap; empty fields match everything.
 *
 * @param vm {@code namespace/name}, or a name alone
 * @param node a node's name
 * @param address of the bus
 * @param kind {@code request}, {@code reply} or {@code event}
 */
public record TapFilter(Glob vm, Glob node, Glob address, Optional<String> kind) {
    private static final int PATTERN_MAX = 256;
    private static final String BETWEEN_PROCESSES = "member.";
    private static final String OWN_ADDRESS = "member.tap";
    private static final Set<String> KINDS = Set.of("request", "reply", "event");

    /** The result of reading a filter. */
    public sealed interface Reading {
        /**
         * The filter is valid.
         *
         * @param filter the filter
         */
        record Good(TapFilter filter) implements Reading {}

        /**
         * The filter is not valid.
         *
         * @param sentence the error, with what was expected
         */
        record Bad(String sentence) implements Reading {}
    }

    /** Reads a filter; empty texts match everything. */
    public static Reading of(String vm, String node, String address, String kind) {
        if (Math.max(Math.max(vm.length(), node.length()), address.length()) > PATTERN_MAX) {
            return new Reading.Bad("vm, node and address have at most " + PATTERN_MAX + " characters");
        }
        var word = kind.toLowerCase(Locale.ROOT);
        if (!word.isEmpty() && !KINDS.contains(word)) {
            return new Reading.Bad("kind must be request, reply or event, not " + kind);
        }
        return new Reading.Good(new TapFilter(
                new Glob(vm),
                new Glob(node),
                new Glob(address),
                Optional.of(word).filter(given -> !given.isEmpty())));
    }

    /**
     * Returns whether a message of that address and kind may match; called before anything is read from it. An address
     * at one process also matches as the address without the process. Messages that processes exchange for users match
     * only if the filter selects their addresses, and those of the tap never: a tap would show its own messages without
     * end.
     */
    public boolean passes(String messageAddress, String messageKind) {
        int at = messageAddress.indexOf('@');
        var noun = at < 0 ? messageAddress : messageAddress.substring(0, at);
        return kind.filter(wanted -> !wanted.equals(messageKind)).isEmpty()
                && !noun.equals(OWN_ADDRESS)
                && (!noun.startsWith(BETWEEN_PROCESSES) || address.pattern().startsWith(BETWEEN_PROCESSES))
                && (address.fits(noun) || address.fits(messageAddress));
    }

    /** Returns whether the filter needs a message's VM or node. */
    public boolean filtersBySubject() {
        return !vm.isAll() || !node.isAll();
    }

    /**
     * Returns whether a message about that VM and node matches.
     *
     * @param key {@code namespace/name}; empty if the message is about none
     * @param nodeName the node; empty if the message is about none
     */
    public boolean passesSubject(String key, String nodeName) {
        return node.fits(nodeName) && (vm.fits(key) || vm.fits(key.substring(key.indexOf('/') + 1)));
    }
}
