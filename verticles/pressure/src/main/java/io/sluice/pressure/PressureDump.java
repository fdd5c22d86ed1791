package io.sluice.pressure;

import io.sluice.pressure.core.PressureView;
import io.sluice.pressure.core.choice.Cooldown;
import io.sluice.pressure.core.choice.NodeRoom;
import io.sluice.pressure.core.choice.PressureRules;
import io.sluice.pressure.core.migrations.MigrationView;
import io.sluice.shell.Dumps;
import io.sluice.shell.OnContext;
import io.sluice.units.Resources;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The part {@code pressure} of the dump: the state of this role. */
final class PressureDump implements Dumps.Source {
    private static final String MIGRATIONS = "migrations";
    private static final String NODES = "nodes";
    private static final String RESTING = "resting";
    private static final String RULES = "rules";
    private static final String GONE = "null";

    private final OnContext context;
    private final Supplier<Optional<PressureView>> view;

    /**
     * Creates the source.
     *
     * @param context the context on which the view may be read
     * @param view the present state; empty while another process leads
     */
    PressureDump(OnContext context, Supplier<Optional<PressureView>> view) {
        this.context = context;
        this.view = view;
    }

    @Override
    public Future<List<String>> keys() {
        return context.call(view).map(now -> now.isPresent() ? List.of(MIGRATIONS, NODES, RESTING, RULES) : List.of());
    }

    @Override
    public Future<String> read(String key) {
        return context.call(view).map(now -> now.map(known -> piece(key, known)).orElse(GONE));
    }

    private static String piece(String key, PressureView now) {
        return switch (key) {
            case MIGRATIONS ->
                new JsonArray(now.migrations().stream().map(PressureDump::json).toList()).encode();
            case NODES ->
                new JsonArray(now.nodes().stream()
                                .map(room -> json(room, now.closed().getOrDefault(room.node(), "")))
                                .toList())
                        .encode();
            case RESTING -> json(now.resting()).encode();
            case RULES -> json(now.rules()).put("listed", now.listed()).encode();
            default -> GONE;
        };
    }

    private static JsonObject json(MigrationView migration) {
        return new JsonObject()
                .put("migration", migration.migration())
                .put("vm", migration.vm())
                .put("origin", migration.origin().name())
                .put("from", migration.from())
                .put("to", migration.to())
                .put("life", migration.life())
                .put("since", migration.since().toString())
                .put("phase", migration.phase())
                .put("hold", migration.hold())
                .put("mark", migration.mark())
                .put("target", migration.target())
                .put("live", migration.live());
    }

    private static JsonObject json(NodeRoom room, String closed) {
        return new JsonObject()
                .put("node", room.node())
                .put("complete", room.complete())
                .put("pressed", room.pressed())
                .put("closed", closed)
                .put("reserved", json(room.reserved()))
                .put("watermark", json(room.watermark()))
                .put("total", json(room.total()));
    }

    private static JsonObject json(Map<String, Cooldown> resting) {
        var all = new JsonObject();
        resting.forEach((vm, rest) ->
                all.put(vm, new JsonObject().put("left", rest.left().toString()).put("after", rest.after())));
        return all;
    }

    private static JsonObject json(PressureRules rules) {
        return new JsonObject()
                .put("paused", rules.paused())
                .put("policy", rules.policy().name())
                .put("maxConcurrentPerNode", rules.maxConcurrentPerNode())
                .put("maxConcurrent", rules.maxConcurrent())
                .put("cooldown", rules.cooldown().toString())
                .put("startTimeout", rules.startTimeout().toString())
                .put("completionTimeout", rules.completionTimeout().toString());
    }

    private static JsonObject json(Resources amount) {
        return new JsonObject().put("milliCpu", amount.milliCpu()).put("memoryBytes", amount.memoryBytes());
    }
}
