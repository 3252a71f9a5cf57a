// spdlog, synchronous and asynchronous, with its own rotating file sink and its defaults (a queue of 8192 items, one
// thread, a full queue blocks). The pattern gives the lines that everybody writes.
#define SPDLOG_LEVEL_NAMES {"TRACE", "DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL", "OFF"}

#include <memory>
#include <string>

#include <spdlog/async.h>
#include <spdlog/sinks/rotating_file_sink.h>
#include <spdlog/spdlog.h>

#include "cbench.h"

namespace {

std::shared_ptr<spdlog::logger> logger;
std::string users[BENCH_USERS];

template <typename Factory> void start(const char *directory) {
    for (int i = 0; i < BENCH_USERS; i++) users[i] = bench_user(i);
    logger = spdlog::rotating_logger_mt<Factory>(
        "bench", std::string(directory) + "/app.log", BENCH_ROTATE_SIZE, BENCH_KEEP);
    logger->set_pattern("[%Y-%m-%d %H:%M:%S.%e] [%l] %v");
    logger->set_level(spdlog::level::info);
}

void log_lines(int, uint64_t first, uint64_t count) {
    for (uint64_t id = first; id < first + count; id++)
        logger->info("request id={} served for user={} by pool=main rc 200", id, users[id & (BENCH_USERS - 1)]);
}

// Joins the writing thread, where there is one, and closes the file.
void finish(const char *, uint64_t) {
    logger.reset();
    spdlog::shutdown();
}

void log_disabled(uint64_t count) {
    for (uint64_t id = 0; id < count; id++) {
        logger->debug("request id={} served for user={} by pool=main rc 200", id, users[id & (BENCH_USERS - 1)]);
        bench_barrier();
    }
}

void loop_empty(uint64_t count) {
    for (uint64_t id = 0; id < count; id++) bench_barrier();
}

}  // namespace

int main(int argc, char **argv) {
    const bench_implementation implementations[] = {
        {"spdlog-sync", start<spdlog::synchronous_factory>, log_lines, nullptr, finish, log_disabled, loop_empty},
        {"spdlog-async", start<spdlog::async_factory>, log_lines, nullptr, finish, log_disabled, loop_empty},
    };
    return bench_main(argc, argv, implementations, 2);
}
