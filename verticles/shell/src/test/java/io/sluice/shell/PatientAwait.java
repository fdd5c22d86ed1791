package io.sluice.shell;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Gives what a test awaits a minute, as a machine that is busy with something else may take that long. JUnit finds it
 * wherever this module's tests are on the class path.
 */
public final class PatientAwait implements BeforeAllCallback {
    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(Duration.ofMinutes(1));
        // Threads of another test class may end with exceptions, as those of a member that it terminates.
        Awaitility.doNotCatchUncaughtExceptionsByDefault();
    }
}
