package io.sluice.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A VM's page of a process that runs: what it shows as billed is what the files have. */
class DemoBillTest {
    private static final String VM_SECONDS =
            "Number(document.querySelector('.bill-sum b')?.innerText.replace(/\\D/g, '') ?? 0)";
    private static final String NEWEST_HOUR_IS_WHOLE =
            "/\\d\\d:00\\s+\\d+\\s+\\d+ (s|min)\\s+[\\d.]+m?/.test(document.querySelector('.bill"
                    + " tr:nth-child(2)').innerText)";

    @BeforeAll
    static void needsABrowser() {
        BrowserTest.needsABrowser();
    }

    @Test
    void showsWhatTheFilesHave(@TempDir Path folder) throws IOException {
        try (var demo = DemoProcess.start(folder);
                var page = Chromium.shared().open()) {
            page.go(demo.url() + "#/").awaitFleet();
            // The page of a VM that is not observed yet is an error.
            BrowserTest.await(() -> page.observe("fetch('api/fleet').then((reply) => reply.text()).catch(() => '')")
                    .asText()
                    .contains("catalog"));
            page.go(demo.url() + "#/vm/default/catalog").await(VM_SECONDS + " > 0");
            assertThat(page.text(".bill header")).contains("Bill, last 24 hours", "since ");

            BrowserTest.await(() -> demo.billed("ep-catalog") > 0);
            long inFiles = demo.billed("ep-catalog");
            page.await(VM_SECONDS + " >= " + inFiles);

            long onThePage = page.observe(VM_SECONDS).asLong();
            BrowserTest.await(() -> demo.billed("ep-catalog") >= onThePage);

            // Its mean size comes with another reply than the bill.
            page.await(NEWEST_HOUR_IS_WHOLE);
            page.observe("document.querySelector('.charts').scrollIntoView()");
            page.screenshot("demo-vm-light").dark().screenshot("demo-vm-dark");
            assertThat(page.problems()).isEmpty();
        }
    }
}
