package io.sluice.workers.agent;

import java.util.Map;
import java.util.stream.Collectors;

/** Text for {@code /bin/sh}. */
final class ShellText {
    private ShellText() {}

    /** One word, whatever is in it. */
    static String quoted(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }

    /**
     * Sets these variables for what is started next. One that a shell keeps for itself, such as {@code UID} of bash, is
     * left as it is.
     *
     * @param variables the names have the form that shells demand
     */
    static String exports(Map<String, String> variables) {
        return variables.entrySet().stream()
                .map(variable -> "command export " + variable.getKey() + "=" + quoted(variable.getValue()) + "\n")
                .collect(Collectors.joining());
    }
}
