package io.sluice.gateway.listener;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * What stands behind a door, and what is particular about it.
 *
 * @param section of the config, such as {@code gateway.ops}
 * @param handler gets every request that may come in
 * @param exempt which requests need no credential; asked before it is looked at, so it must say no when in doubt
 * @param kind who is expected to knock
 * @param names host names by which browsers may call the door, beside local ones and its own host
 * @param capacity how many connections are kept; more are closed at once
 * @param reviewing whether the handler itself looks at the token that each request has to bear
 */
public record ListenerSpec(
        String section,
        Handler<HttpServerRequest> handler,
        Predicate<HttpServerRequest> exempt,
        Kind kind,
        List<String> names,
        ConnectionCapacity capacity,
        boolean reviewing) {
    public ListenerSpec {
        Objects.requireNonNull(section, "section");
        Objects.requireNonNull(handler, "handler");
        Objects.requireNonNull(exempt, "exempt");
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(capacity, "capacity");
        names = List.copyOf(names);
    }

    /** Who is expected to knock. */
    public enum Kind {
        /** Programs. What bears the marks of a page of another origin is refused. */
        PROGRAMS,

        /**
         * Programs, for something that a browser should not read for anybody: on loopback the door answers to local
         * names only.
         */
        PRIVATE,

        /**
         * Browsers too: beside that, they can log in and bear a cookie, pages get headers that keep them safe, and the
         * door takes the next free port if its own is taken.
         */
        BROWSERS
    }

    /** A doorway for programs, all of whose requests need a credential. */
    public static ListenerSpec of(String section, Handler<HttpServerRequest> handler) {
        return new ListenerSpec(
                section, handler, request -> false, Kind.PROGRAMS, List.of(), ConnectionCapacity.USUAL, false);
    }

    /** The same for another kind of callers. */
    public ListenerSpec expecting(Kind other) {
        return new ListenerSpec(section, handler, exempt, other, names, capacity, reviewing);
    }

    /** The same, where some requests need no credential: probes, for which a few connections are kept free. */
    public ListenerSpec exempting(Predicate<HttpServerRequest> others) {
        return new ListenerSpec(section, handler, others, kind, names, capacity.withProbes(), reviewing);
    }

    /** The same, by more names. */
    public ListenerSpec named(List<String> others) {
        return new ListenerSpec(section, handler, exempt, kind, others, capacity, reviewing);
    }

    /** The same for another number of connections, in all and from one address. */
    public ListenerSpec keeping(int connections, int perAddress) {
        return new ListenerSpec(
                section,
                handler,
                exempt,
                kind,
                names,
                new ConnectionCapacity(connections, perAddress, capacity.probes()),
                reviewing);
    }

    /** The same for a handler that looks at tokens itself. */
    public ListenerSpec reviewingTokens() {
        return new ListenerSpec(section, handler, exempt, kind, names, capacity, true);
    }

    /** The last word of the section, by which metrics know the door. */
    String label() {
        return section.substring(section.lastIndexOf('.') + 1);
    }
}
