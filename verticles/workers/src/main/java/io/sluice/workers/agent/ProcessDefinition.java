package io.sluice.workers.agent;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What an instance of the kind {@code Process} starts.
 *
 * @param command the program and its arguments
 * @param environment may have secrets, and so is in no message and no argument
 */
record ProcessDefinition(List<String> command, Map<String, String> environment) implements Startable {
    /** The kind in definitions. */
    static final String KIND = "Process";

    /** Why a definition cannot be run here. Its message quotes nothing of the environment. */
    static final class Unfit extends Exception {
        private static final long serialVersionUID = 1;

        Unfit(String reason) {
            super(reason, null, false, false);
        }
    }

    static ProcessDefinition read(JsonObject json, List<String> allowed) throws Unfit {
        try {
            var command = new ArrayList<String>();
            command.add(allowed(Path.of(json.getString("command", "")), allowed, "command")
                    .toString());
            for (var argument : json.getJsonArray("args", new JsonArray())) {
                command.add((String) argument);
            }
            return new ProcessDefinition(
                    List.copyOf(command), environment(json.getJsonObject("env", new JsonObject())));
        } catch (DecodeException | ClassCastException | NullPointerException unreadable) {
            throw new Unfit("its definition has not the form of a process");
        }
    }

    static Map<String, String> environment(JsonObject variables) {
        Map<String, String> environment = new HashMap<>();
        for (var variable : variables) {
            environment.put(variable.getKey(), (String) variable.getValue());
        }
        return Map.copyOf(environment);
    }

    /** The file itself, whatever links lead to it. */
    static Path allowed(Path path, List<String> allowed, String what) throws Unfit {
        if (!path.isAbsolute()) {
            throw new Unfit("its " + what + " is no absolute path");
        }
        try {
            var real = path.toRealPath();
            for (var entry : allowed) {
                boolean directory = entry.endsWith("/");
                var admitted = Path.of(entry).toRealPath();
                if (directory ? real.startsWith(admitted) : real.equals(admitted)) {
                    // The name by which it was called counts for programs of many names.
                    return path;
                }
            }
        } catch (IOException missing) {
            throw new Unfit("its " + what + " does not exist here");
        }
        throw new Unfit("its " + what + " is not among those that this worker allows");
    }

    @Override
    public Prepared prepare(Path directory, String instance) {
        return new Prepared(command, environment, "");
    }
}
