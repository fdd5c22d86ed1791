package io.sluice.monitor.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.units.Resources;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;

/** A connection that a test drives, in virtual time. */
final class DrivenLink {
    static final MonitorConfig CONFIG = MonitorConfig.DEFAULTS;
    static final VmId VM = new VmId("neonvm", "default", "vm", "uid");
    static final Instant START = Instant.parse("2026-11-21T00:00:00Z");
    static final Resources TWO = new Resources(500, 2L << 30);
    static final String VERSION = "{\"version\":1}";

    final MonitorConnection link = new MonitorConnection(VM, CONFIG, new Random(1), 0, START);
    Instant now = START;

    List<ConnectionAction> on(ConnectionEvent event) {
        return link.on(event, now);
    }

    List<ConnectionAction> receive(String text) {
        return on(new ConnectionEvent.Received(1, text));
    }

    List<ConnectionAction> after(Duration wait) {
        now = now.plus(wait);
        return on(new ConnectionEvent.Woken());
    }

    void prove() {
        on(new ConnectionEvent.Requested());
        on(new ConnectionEvent.Opened(1));
        receive(VERSION);
    }

    void live() {
        prove();
        receive(healthy(2));
        assertThat(link.state().connected()).isTrue();
    }

    List<ConnectionAction> request(CallKind kind, long request) {
        return on(
                new ConnectionEvent.ResizeRequested(request, kind, link.state().generation(), TWO));
    }

    static String healthy(long id) {
        return "{\"type\":\"HealthCheck\",\"id\":" + id + "}";
    }

    static String reported(ConnectionAction action) {
        return ((ConnectionAction.Send) action).text();
    }

    static <T extends ConnectionAction> List<T> only(Class<T> kind, List<ConnectionAction> actions) {
        return actions.stream().filter(kind::isInstance).map(kind::cast).toList();
    }
}
