package io.sluice.workers.agent;

import io.vertx.core.json.DecodeException;
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
record ProcessDefinition(List<String> command, Map<String, String> environment) {
    /** The kind in definitions. */
    static final String KIND = "Process";

    /** Why a definition cannot be run here. Its message quotes nothing of the environment. */
    static final class Unfit extends Exception {
        private static final long serialVersionUID = 1;

        Unfit(String reason) {
            super(reason, null, false, false);
        }
    }

    static ProcessDefinition read(String definition, List<String> allowed) throws Unfit {
        try {
            var json = new JsonObject(definition);
            if (!KIND.equals(json.getString("kind"))) {
                throw new Unfit("its kind is not " + KIND);
            }
            var command = new ArrayList<String>();
            command.add(allowed(json.getString("command", ""), allowed));
            for (var argument : json.getJsonArray("args", new io.vertx.core.json.JsonArray())) {
                command.add((String) argument);
            }
            Map<String, String> environment = new HashMap<>();
            for (var variable : json.getJsonObject("env", new JsonObject())) {
                environment.put(variable.getKey(), (String) variable.getValue());
            }
            return new ProcessDefinition(List.copyOf(command), Map.copyOf(environment));
        } catch (DecodeException | ClassCastException | NullPointerException unreadable) {
            throw new Unfit("its definition has not the form of a process");
        }
    }

    /** The program itself, whatever links lead to it. */
    private static String allowed(String command, List<String> allowed) throws Unfit {
        var path = Path.of(command);
        if (!path.isAbsolute()) {
            throw new Unfit("its command is no absolute path");
        }
        try {
            var real = path.toRealPath();
            for (var entry : allowed) {
                boolean directory = entry.endsWith("/");
                var admitted = Path.of(entry).toRealPath();
                if (directory ? real.startsWith(admitted) : real.equals(admitted)) {
                    // The name by which it was called counts for programs of many names.
                    return path.toString();
                }
            }
        } catch (IOException missing) {
            throw new Unfit("its command does not exist here");
        }
        throw new Unfit("its command is not among those that this worker allows");
    }
}
