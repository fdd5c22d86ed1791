package io.sluice.gateway.listener;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The routes of a listener, and how the listener treats its clients.
 *
 * @param section of the config, such as {@code gateway.ops}
 * @param routes adds the routes, which get admitted requests only
 * @param exempt which requests need no credential; called before a request is checked, so it must return false when in
 *     doubt
 * @param kind the expected clients
 * @param names host names that browsers may use for the listener, beside local ones and its own host
 * @param capacity how many connections are kept; more are closed at once
 * @param reviewing whether the routes themselves check the token that each request must have
 */
public record ListenerSpec(
        String section,
        Consumer<Router> routes,
        Predicate<HttpServerRequest> exempt,
        Kind kind,
        List<String> names,
        ConnectionCapacity capacity,
        boolean reviewing) {
    public ListenerSpec {
        Objects.requireNonNull(section, "section");
        Objects.requireNonNull(routes, "routes");
        Objects.requireNonNull(exempt, "exempt");
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(capacity, "capacity");
        names = List.copyOf(names);
    }

    /** The expected clients. */
    public enum Kind {
        /** Programs. A request with the headers of a page of another origin is refused. */
        PROGRAMS,

        /** Programs, for data that browsers should not read: on loopback the listener accepts local names only. */
        PRIVATE,

        /**
         * Browsers too: they can log in and get a cookie, pages get security headers, and the listener takes the next
         * free port if its own is taken.
         */
        BROWSERS
    }

    /** Returns a specification for programs, all of whose requests need a credential. */
    public static ListenerSpec of(String section, Consumer<Router> routes) {
        return new ListenerSpec(
                section, routes, request -> false, Kind.PROGRAMS, List.of(), ConnectionCapacity.USUAL, false);
    }

    /** Returns the same for another kind of clients. */
    public ListenerSpec expecting(Kind other) {
        return new ListenerSpec(section, routes, exempt, other, names, capacity, reviewing);
    }

    /** Returns the same with requests that need no credential: probes, for which a few connections are reserved. */
    public ListenerSpec exempting(Predicate<HttpServerRequest> others) {
        return new ListenerSpec(section, routes, others, kind, names, capacity.withProbes(), reviewing);
    }

    /** Returns the same with more names. */
    public ListenerSpec named(List<String> others) {
        return new ListenerSpec(section, routes, exempt, kind, others, capacity, reviewing);
    }

    /** Returns the same for another number of connections, in all and from one address. */
    public ListenerSpec keeping(int connections, int perAddress) {
        return new ListenerSpec(
                section,
                routes,
                exempt,
                kind,
                names,
                new ConnectionCapacity(connections, perAddress, capacity.probes()),
                reviewing);
    }

    /** Returns the same for routes that check tokens themselves. */
    public ListenerSpec reviewingTokens() {
        return new ListenerSpec(section, routes, exempt, kind, names, capacity, true);
    }

    /** Returns the last word of the section, which is the listener's name in metrics. */
    String label() {
        return section.substring(section.lastIndexOf('.') + 1);
    }
}
