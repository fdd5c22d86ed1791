package io.sluice.gateway.core.console;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * What somebody who listens to the bus wants to see; whatever is empty lets everything pass.
 *
 * @param vm {@code namespace/name}, or a name alone
 * @param node a node's name
 * @param address of the bus
 * @param kind {@code request}, {@code reply} or {@code event}
 */
public record TapFilter(Glob vm, Glob node, Glob address, Optional<String> kind) {
    private static final int PATTERN_MAX = 256;
    private static final String PEOPLES = "member.";
    private static final String OWN_ADDRESS = "member.tap";
    private static final Set<String> KINDS = Set.of("request", "reply", "event");

    /** A filter from what was typed, or what is wrong with it. */
    public sealed interface Reading {
        /**
         * It can be used.
         *
         * @param filter the filter
         */
        record Good(TapFilter filter) implements Reading {}

        /**
         * It cannot.
         *
         * @param sentence what is wrong, and what was expected
         */
        record Bad(String sentence) implements Reading {}
    }

    /** Reads what was typed; empty texts let everything pass. */
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
     * Whether a message of that address and kind can pass at all; asked before anything is read from it. An address at
     * one process is also that address. What processes ask each other for people's sake passes only whoever asks for
     * it, and what a tap itself asks never: it would see itself for ever.
     */
    public boolean passes(String messageAddress, String messageKind) {
        int at = messageAddress.indexOf('@');
        var noun = at < 0 ? messageAddress : messageAddress.substring(0, at);
        return kind.filter(wanted -> !wanted.equals(messageKind)).isEmpty()
                && !noun.equals(OWN_ADDRESS)
                && (!noun.startsWith(PEOPLES) || address.pattern().startsWith(PEOPLES))
                && (address.fits(noun) || address.fits(messageAddress));
    }

    /** Whether it asks whom a message is about. */
    public boolean asksForSubject() {
        return !vm.isAll() || !node.isAll();
    }

    /**
     * Whether a message about that VM and node passes.
     *
     * @param key {@code namespace/name}; empty where the message is about none
     * @param nodeName the node; empty where the message is about none
     */
    public boolean passesSubject(String key, String nodeName) {
        return node.fits(nodeName) && (vm.fits(key) || vm.fits(key.substring(key.indexOf('/') + 1)));
    }
}
